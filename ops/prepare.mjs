import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** What stands between a clone and a running site: dependencies and a build, each made when missing or stale. */

export const root = resolve(import.meta.dirname, "..");

/** Progress goes to stderr, so that tools can write their results to stdout. */
export const say = (line) => console.error(line);

/** One line for people, then the end. */
export function fail(line) {
  console.error(line);
  process.exit(1);
}

export async function prepare() {
  process.chdir(root);
  if (isInstalled() && isBuilt()) return;
  const done = await takeTurn();
  try {
    await install();
    await build();
  } finally {
    done();
  }
}

const turnFile = ".preparing";

/** Two commands at once in one clone would empty node_modules under each other. */
async function takeTurn() {
  const end = () => {
    process.off("exit", end);
    rmSync(turnFile, { force: true });
  };
  for (let round = 0; ; round++) {
    try {
      writeFileSync(turnFile, String(process.pid), { flag: "wx" });
      process.once("exit", end);
      return end;
    } catch (error) {
      if (error.code !== "EEXIST") fail(installTrouble(error.code));
    }
    if (round === 0) say("Another command is installing or building here; waiting for it …");
    if (isLeftBehind()) end();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** By a command that was killed: its process is gone, or what has its number now is another one. */
function isLeftBehind() {
  try {
    if (Date.now() - statSync(turnFile).mtimeMs > 15 * 60_000) return true;
    const owner = Number(readFileSync(turnFile, "utf8"));
    return owner > 0 && process.kill(owner, 0) !== true;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

async function install() {
  if (isInstalled()) return;
  say("Installing dependencies (once; a minute or two) …");
  // With NODE_ENV=production npm would leave out what the build needs.
  const options = [
    "--include=dev",
    "--no-audit",
    "--no-fund",
    "--fetch-retry-mintimeout=2000",
    "--fetch-retry-maxtimeout=8000",
  ];
  const { code, output } = await npm(["ci", ...options]);
  // npm only warns of files it could not write, and counts the package as installed.
  const isIncomplete = /TAR_ENTRY_ERROR/.test(output);
  if (isIncomplete) rmSync(installNote, { force: true });
  if (code !== 0 || isIncomplete) fail(installTrouble(output));
}

const installNote = "node_modules/.package-lock.json";

/** What npm notes after an installation, held against what package-lock.json asks for. */
function isInstalled() {
  if (!existsSync(installNote)) return false;
  const [wanted, found] = ["package-lock.json", installNote].map(
    (file) => JSON.parse(readFileSync(file, "utf8")).packages,
  );
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === "" || found[name]?.version === version || (optional && found[name] === undefined),
  );
}

/** The npm that started us, if one did: it need not be the one on the PATH. */
export function npm(options) {
  const started = process.env.npm_execpath;
  return started && basename(started) === "npm-cli.js"
    ? run(process.execPath, [started, ...options])
    : run(process.platform === "win32" ? "npm.cmd" : "npm", options);
}

const installTroubles = [
  [/ENOSPC|EDQUOT/, "The disk is full: the dependencies need 450 MB. Free some and start again."],
  [
    /EACCES|EPERM|EROFS/,
    `${root} is not writable by this user. Change its owner, or install as the user who owns it.`,
  ],
  [
    /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|E50\d|CERT|SSL/,
    "The package registry does not answer. Check the network, the proxy (HTTPS_PROXY) and `npm config get registry`, then start again.",
  ],
  [
    /EUSAGE/,
    "package.json and package-lock.json do not fit together: run npm install once, then start again.",
  ],
];

function installTrouble(output) {
  const known = installTroubles.find(([pattern]) => pattern.test(output));
  const said = output.split("\n").find((line) => /^npm (error|ERR!) (?!code|errno|syscall|path)/.test(line));
  return known ? known[1] : `npm ci failed: ${said ?? "it said nothing"} (npm ci --include=dev says more)`;
}

const sources = ["app", "db", "public", "package-lock.json", "react-router.config.ts", "vite.config.ts"];
const stampFile = "build/sources";

const isBuilt = (stamp = sourcesStamp()) =>
  existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;

export async function build() {
  const stamp = sourcesStamp();
  if (isBuilt(stamp)) return;
  say("Building (once a version) …");
  rmSync(stampFile, { force: true });
  const { code, output } = await run(process.execPath, ["node_modules/@react-router/dev/bin.js", "build"], {
    variables: { NODE_ENV: "production" },
  });
  if (code !== 0) {
    say(output);
    fail(buildTrouble(output));
  }
  mkdirSync("build", { recursive: true });
  writeFileSync(stampFile, stamp);
}

const buildTrouble = (output) =>
  /ENOSPC|No space left/.test(output)
    ? "The disk is full: the build needs room. Free some and start again."
    : "The build failed; what it said stands above.";

/** Names, sizes and times: a newer time is not asked for, since an unpacked upgrade may be older than the build. */
function sourcesStamp() {
  const hash = createHash("sha256");
  const add = (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return;
    if (found.isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name));
    else hash.update(`${path}\0${found.size}\0${found.mtimeMs}\n`);
  };
  sources.forEach(add);
  return hash.digest("hex");
}

/** Runs quietly and keeps the end of what was said; a program with a time limit ends with all its children. */
export function run(program, options, { variables = {}, limitMs = 0 } = {}) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, options, {
      cwd: root,
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
      detached: limitMs > 0,
    });
    const limit = limitMs > 0 && setTimeout(() => process.kill(-child.pid, "SIGKILL"), limitMs);
    const keep = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (error) => resolve({ code: 1, output: `${error.code} ${program}` }));
    child.once("close", (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? 1, output });
    });
  });
}
