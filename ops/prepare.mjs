import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** Installs the dependencies and builds the application, each only if it is missing or out of date. */

export const root = resolve(import.meta.dirname, "..");

/** Progress goes to stderr, because tools write their results to stdout. */
export const say = (line) => console.error(line);

export function fail(line) {
  console.error(line);
  process.exit(1);
}

/** Unit tests pass `build: false`, because they run from the sources. */
export async function prepare({ build: needsBuild = true } = {}) {
  process.chdir(root);
  if (isInstalled() && (!needsBuild || isBuilt())) return;
  const endTurn = await takeTurn();
  try {
    await install();
    if (needsBuild) await build();
  } finally {
    endTurn();
  }
}

const turnFile = ".preparing";

/**
 * Waits until no other command installs or builds in this clone, because `npm ci` deletes node_modules while another
 * command may be using it.
 */
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
      if (error.code !== "EEXIST") fail(installErrorText(error.code));
    }
    if (round === 0) say("Another command is installing or building in this folder. Waiting until it ends …");
    if (isLeftBehind()) end();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * True if the command that wrote the file was killed. After 15 minutes, a process with the same id is assumed to be
 * another program.
 */
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
  say("Installing dependencies. This happens once and takes a minute or two …");
  // With NODE_ENV=production, npm would omit the development dependencies that the build needs.
  const options = [
    "--include=dev",
    "--no-audit",
    "--no-fund",
    "--fetch-retry-mintimeout=2000",
    "--fetch-retry-maxtimeout=8000",
  ];
  const { code, output } = await npm(["ci", ...options]);
  // If npm cannot write a file, it only warns and records the package as installed.
  const isIncomplete = /TAR_ENTRY_ERROR/.test(output);
  if (isIncomplete) rmSync(installNote, { force: true });
  if (code !== 0 || isIncomplete) fail(installErrorText(output));
}

const installNote = "node_modules/.package-lock.json";

/** Compares npm's record of the last installation with package-lock.json. */
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

/** Runs the npm that started this script if there is one. The npm on the PATH may be another version. */
function npm(options) {
  const npmPath = process.env.npm_execpath;
  return npmPath && basename(npmPath) === "npm-cli.js"
    ? run(process.execPath, [npmPath, ...options])
    : run(process.platform === "win32" ? "npm.cmd" : "npm", options);
}

const installErrors = [
  [/ENOSPC|EDQUOT/, "The disk is full. The dependencies need 480 MB. Free some space and start again."],
  [
    /EACCES|EPERM|EROFS/,
    `${root} is not writable by this user. Change its owner, or install as the user who owns it.`,
  ],
  [
    /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|E50\d|CERT|SSL/,
    "The package registry does not answer. Check the network, the proxy (HTTPS_PROXY) and `npm config get registry`, then start again.",
  ],
  [/EUSAGE/, "package.json and package-lock.json do not match. Run npm install once, then start again."],
];

function installErrorText(output) {
  const known = installErrors.find(([pattern]) => pattern.test(output));
  const reason = output
    .split("\n")
    .find((line) => /^npm (error|ERR!) (?!code|errno|syscall|path)/.test(line));
  return known
    ? known[1]
    : `npm ci failed: ${reason ?? "npm gave no reason"}. Run npm ci --include=dev to see its whole output.`;
}

const sources = ["app", "db", "public", "package-lock.json", "react-router.config.ts", "vite.config.ts"];
const stampFile = "build/sources";

const isBuilt = (stamp = sourcesStamp()) =>
  existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;

async function build() {
  const stamp = sourcesStamp();
  if (isBuilt(stamp)) return;
  say("Building. This happens once for each version …");
  rmSync(stampFile, { force: true });
  const { code, output } = await run(process.execPath, ["node_modules/@react-router/dev/bin.js", "build"], {
    variables: { NODE_ENV: "production" },
  });
  if (code !== 0) {
    say(output);
    fail(buildErrorText(output));
  }
  mkdirSync("build", { recursive: true });
  writeFileSync(stampFile, stamp);
}

const buildErrorText = (output) =>
  /ENOSPC|No space left/.test(output)
    ? "The disk is full. The build needs more space. Free some space and start again."
    : "The build failed. Its output is above.";

/** Hashes names, sizes and times. A check for newer times would miss an upgrade whose unpacked files are older than the build. */
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

/** Returns the exit code and the end of the output. A program that exceeds its time limit is killed with all its children. */
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
