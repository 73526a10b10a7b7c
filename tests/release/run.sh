#!/usr/bin/env bash
# What is checked before a release and not at each change: other versions of Node, empty caches, containers, full disks, older
# browsers, and the upgrade from every earlier version. It needs root on Debian, and takes long.
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0

export DEBIAN_FRONTEND=noninteractive
for tool in chromium buildah mmdebstrap systemd-analyze bindfs firefox-esr ffmpeg mkvmerge mpv cvlc nginx redis-server curl; do
  command -v "$tool" >/dev/null && continue
  apt-get update -q && apt-get install -qy --no-install-recommends chromium buildah mmdebstrap systemd bindfs firefox-esr ffmpeg mkvtoolnix mpv vlc-bin vlc-plugin-base nginx redis-server curl || exit 1
  break
done

# The gate uses a browser without windows. Before a release, the tests use the one that people have.
CHROME_PATH=$(command -v chromium) CI=1 npm test -- release 2>&1 | tee "$log"
[ "${PIPESTATUS[0]}" = 0 ] || status=1
tests/release/places.sh 2>&1 | tee -a "$log"
[ "${PIPESTATUS[0]}" = 0 ] || status=1

grep -aoE '^[0-9]+ passed, [0-9]+ failed' "$log" |
  awk -F'[ ,]+' '{ passed += $1; failed += $3 } END { print passed " passed, " failed " failed" }'
exit "$status"
