import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "#tests/support/servers/free-port.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Builds ops/Dockerfile without a container engine and without a registry of images, as root on Debian: buildah runs commands
 * in a chroot, and the base with Node is made of Debian's packages and of this Node.
 */

const isProgram = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;

function requireTools() {
  if (process.getuid?.() !== 0) throw new Error("The image can only be built by root.");
  const missing = ["buildah", "mmdebstrap"].filter((name) => !isProgram(name));
  if (missing.length > 0) throw new Error(`The image cannot be built without ${missing.join(" and ")}.`);
}

const baseName = "docker.io/library/node:22-bookworm-slim";

export function buildImage() {
  requireTools();
  const root = temporaryFolder("image");
  const storage = ["--root", join(root, "store"), "--runroot", join(root, "run")];
  const buildah = (...words: string[]) =>
    execFileSync("buildah", [...storage, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  atEnd(async () => {
    spawnSync("buildah", [...storage, "rm", "--all"]);
    spawnSync("buildah", [...storage, "rmi", "--all", "--force"]);
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  makeBase(root, buildah);
  buildah(
    "build",
    "-q",
    "--isolation",
    "chroot",
    "--pull=never",
    // Builds the stages in parallel: one compiles while the other installs ffmpeg.
    ...["--jobs", "2"],
    // Reuses the packages that this clone has already downloaded.
    ...["--volume", `${npmCache()}:/root/.npm`],
    "-f",
    "ops/Dockerfile",
    "-t",
    "engawa",
    ".",
  );
  return { container: buildah("from", "--pull-never", "localhost/engawa"), storage, root };
}

function npmCache() {
  const folder = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8", stdio: "pipe" }).trim();
  mkdirSync(folder, { recursive: true });
  return folder;
}

function makeBase(root: string, buildah: (...words: string[]) => string) {
  const archive = join(root, "base.tar");
  const packages = "--include=ca-certificates,libstdc++6";
  // Debian builds its images with the same option. Without it, dpkg waits for the disk after each package.
  const quick = ["--dpkgopt=force-unsafe-io", `--aptopt=Acquire::Languages "none"`];
  execFileSync("mmdebstrap", ["-q", "--variant=minbase", packages, ...quick, "bookworm", archive], {
    stdio: "pipe",
  });
  const container = buildah("from", "scratch");
  buildah("add", "-q", container, archive, "/");
  rmSync(archive);
  const npm = execFileSync("sh", ["-c", 'dirname "$(dirname "$(readlink -f "$(command -v npm)")")"'], {
    encoding: "utf8",
  }).trim();
  buildah("copy", "-q", container, process.execPath, "/usr/bin/node");
  buildah("copy", "-q", container, npm, "/usr/lib/node_modules/npm");
  // The package registry may use a certificate that only this machine trusts.
  const certificates = "/etc/ssl/certs/ca-certificates.crt";
  buildah("copy", "-q", container, certificates, certificates);
  buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${certificates}`, container);
  const link = ["ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", "/usr/bin/npm"];
  buildah("run", "--isolation", "chroot", container, "--", ...link);
  buildah("commit", "-q", container, baseName);
  buildah("rm", container);
}

type Image = ReturnType<typeof buildImage>;
type Run = {
  data: string;
  films: string;
  /** The argument of `docker run --user`. */
  user?: string;
  variables?: Record<string, string>;
  /** Words that run before the command of the image. */
  before?: string[];
};

function commandOf({ container, storage }: Image, { data, films, user, variables = {}, before = [] }: Run) {
  const given = Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const mounts = ["-v", `${data}:/data`, "-v", `${films}:/media:ro`];
  const chosen = [
    ...(user ? ["--user", user] : []),
    ...(before.length > 0 ? ["--cap-add", "CAP_SYS_ADMIN"] : []),
  ];
  return [
    ...storage,
    "run",
    "--isolation",
    "chroot",
    ...chosen,
    ...given,
    ...mounts,
    container,
    "--",
    ...before,
    "engawa",
  ];
}

/** Runs a command-line tool in the image. */
export function runInImage(image: Image, run: Run, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync("buildah", [...commandOf(image, run), ...words], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Starts the site of the image and waits until it listens. */
export async function startImage(image: Image, run: Run) {
  const port = await freePort();
  const variables = { ...run.variables, PORT: String(port) };
  const child = spawn("buildah", [...commandOf(image, { ...run, variables }), "start"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  const lines: string[] = [];
  const listening = new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on("line", (line) => {
        lines.push(line);
        if (line.includes('"message":"listening"')) resolve();
      });
    child.once("close", () => reject(new Error(`the site ended:\n${lines.join("\n")}`)));
  });
  await listening;
  const site = processOf(child, "build/server/server.js");
  return {
    origin: `http://127.0.0.1:${port}`,
    lines,
    site,
    /** Sends SIGTERM to the process, and returns the exit code of the container. */
    async stop(pid = site.pid) {
      process.kill(pid, "SIGTERM");
      const [code] = await closed;
      return code as number;
    },
  };
}

type Process = { pid: number; parent: number; uid: number; gid: number; line: string };

export const listProcesses = (): Process[] =>
  execFileSync("ps", ["-eo", "pid=,ppid=,uid=,gid=,args="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => {
      const [, pid, parent, uid, gid, line = ""] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [];
      return { pid: Number(pid), parent: Number(parent), uid: Number(uid), gid: Number(gid), line };
    });

function processOf({ pid }: ChildProcess, text: string) {
  const all = listProcesses();
  const isBelow = (one: Process): boolean => {
    const above = all.find((other) => other.pid === one.parent);
    return one.parent === pid || (above !== undefined && isBelow(above));
  };
  const found = all.find((one) => one.line.startsWith("node ") && one.line.includes(text) && isBelow(one));
  if (!found) throw new Error(`no process runs ${text}`);
  return found;
}

export function newFolder(root: string, name: string) {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}
