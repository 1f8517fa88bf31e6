"""An open chain of revolute joints: where is its end?

Link after link, by the parameters of Denavit and Hartenberg (1955): a joint turns about the z axis of its
frame by its angle; the next frame is shifted along that axis by the offset, then along the turned x axis by
the length, and twisted about that axis. Lengths are in metres, angles in radians.
"""

import numpy as np

__all__ = ["end_point"]


def end_point(angles: np.ndarray, lengths: np.ndarray, offsets: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Return the end of each chain in the frame of its base, shape (cases, 3).

    All arguments: shape (cases, joints), or one that broadcasts to it.
    """
    shape = np.broadcast_shapes(*map(np.shape, (angles, lengths, offsets, twists)))
    angles, lengths, offsets, twists = (
        np.broadcast_to(part, shape) for part in (angles, lengths, offsets, twists)
    )
    x = y = z = np.zeros(shape[0])
    for joint in reversed(range(shape[1])):
        twist, turn = twists[:, joint], angles[:, joint]
        y, z = y * np.cos(twist) - z * np.sin(twist), y * np.sin(twist) + z * np.cos(twist)
        x, z = x + lengths[:, joint], z + offsets[:, joint]
        x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
    return np.column_stack([x, y, z])
