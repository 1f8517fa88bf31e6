#!/bin/sh
# Install the dashboard with the locked versions of what it needs: sh docs/hosting/install.sh DIRECTORY [WHEEL]
# DIRECTORY becomes a virtual environment; without a WHEEL this source tree is built and installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: sh install.sh DIRECTORY [WHEEL]" >&2; exit 2; }
"${PYTHON:-python3}" -m venv "$1"
"$1/bin/pip" install --no-cache-dir --require-hashes -r "$here/requirements.lock"
"$1/bin/pip" install --no-cache-dir --no-deps "${2:-$here/../..}"
