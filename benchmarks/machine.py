"""What machine and which versions the figures come from; nothing that names the machine."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("numpy", "scipy", "pyarrow", "pandas", "streamlit", "plotly", "playwright")


def machine_facts() -> list[str]:
    """Return lines on the processor, the load, the system and the versions."""
    libraries = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        f"{os.cpu_count()} cores, {_processor()}; load average at the start {load:.1f}",
        f"{platform.system()} {platform.machine()}, {python}",
        libraries,
    ]


def _version(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as facts:
            names = [line.partition(":")[2].strip() for line in facts if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown processor"
