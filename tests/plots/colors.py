"""How colors look to readers who lack one kind of cones, and how much two of them differ."""

import numpy as np

# Machado, Oliveira and Fernandes 2009, table 1, severity 1.0; for linear RGB.
KINDS_OF_SIGHT = {
    "all": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# IEC 61966-2-1, for the white of D65.
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def seen(color: str, sight: str) -> np.ndarray:
    """Return a color `#rrggbb` in CIELAB as somebody sees it. sight: one of KINDS_OF_SIGHT."""
    parts = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    share = _XYZ @ np.clip(KINDS_OF_SIGHT[sight] @ linear, 0, 1) / _XYZ.sum(axis=1)
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Return CIEDE2000 between two colors in CIELAB. Source: Sharma, Wu and Dalal 2005, equations 2 to 22."""
    (light_1, a_1, b_1), (light_2, a_2, b_2) = one, other
    chroma = (np.hypot(a_1, b_1) + np.hypot(a_2, b_2)) / 2
    more = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    (chroma_1, hue_1), (chroma_2, hue_2) = _polar(a_1 * more, b_1), _polar(a_2 * more, b_2)
    turn = (hue_2 - hue_1 + 180) % 360 - 180 if chroma_1 * chroma_2 else 0.0
    hue = (hue_1 + hue_2 + (360 if abs(hue_1 - hue_2) > 180 else 0)) / 2
    hue_step = 2 * np.sqrt(chroma_1 * chroma_2) * np.sin(np.radians(turn / 2))
    light, chroma = (light_1 + light_2) / 2, (chroma_1 + chroma_2) / 2
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    by_hue = 1 + sum(size * np.cos(np.radians(times * hue + shift)) for size, times, shift in waves)
    by_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    steps = np.array(
        [
            (light_2 - light_1) / by_light,
            (chroma_2 - chroma_1) / (1 + 0.045 * chroma),
            hue_step / (1 + 0.015 * chroma * by_hue),
        ]
    )
    turned = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    turned *= np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    return float(np.sqrt(steps @ steps + turned * steps[1] * steps[2]))


def _polar(a: float, b: float) -> tuple[float, float]:
    return float(np.hypot(a, b)), float(np.degrees(np.arctan2(b, a)) % 360)
