import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A backup and a restore on a full disk. To mount small file systems, these tests need Linux and root, as .ci/run has. */

const folder = temporaryFolder("full-disk");
atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function mount(name: string, size: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  const { stderr, status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]);
  if (status !== 0) throw new Error(String(stderr));
  atEnd(() => spawnSync("umount", ["-l", path]));
  return path;
}

async function runTool(dataDir: string, name: string, ...toolArguments: string[]) {
  const child = spawn(process.execPath, [resolve(`build/server/${name}.js`), ...toolArguments], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATABASE_URL: "",
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
    },
  });
  child.stdin.end("Abc123!x");
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** Expects exactly one line of output, which names the full disk. */
const full = (disk: string) => ({
  code: 1,
  stdout: "",
  stderr: expect.stringMatching(
    new RegExp(
      `^The disk is full\\. .+ \\(${disk}.*\\) needs more space\\. Free some space and start again\\.\n$`,
    ),
  ),
});

const createMember = (dataDir: string) =>
  runTool(dataDir, "user", "create", "kept@example.org", "--name", "Kept", "--password-stdin");
const expectsMember = async (dataDir: string) =>
  expect((await runTool(dataDir, "user", "list")).stdout).toContain("kept@example.org");

const backup = join(folder, "whole.gz");
let source = "";

beforeAll(async () => {
  const site = await startSite();
  source = site.dataDir;
  const member = await signUpAt(site.origin, "source@example.org");
  const noise = { width: 600, height: 600, noise: { type: "gaussian", mean: 128, sigma: 60 } } as const;
  const form = new FormData();
  const picture = await sharp({ create: { ...noise, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  form.append("image", new Blob([new Uint8Array(picture)], { type: "image/png" }), "noise.png");
  const headers = { Cookie: member.cookie, Origin: site.origin };
  const answer = await fetch(`${site.origin}/api/uploadImage`, { method: "POST", headers, body: form });
  expect(answer.status, await answer.text()).toBe(200);
  expect(await runTool(source, "backup", backup)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 pictures"),
  });
  await site.stop();
});

test("a backup that does not fit fails with one line, removes its incomplete file and keeps the existing file of that name", async () => {
  const disk = mount("target", "64k");
  const file = join(disk, "engawa.gz");
  writeFileSync(file, "the backup before");
  expect(await runTool(source, "backup", file)).toEqual(full(file));
  expect(readdirSync(disk)).toEqual(["engawa.gz"]);
  expect(readFileSync(file, "utf8")).toBe("the backup before");
});

test.each([8, 2, 0])(
  "a restore into a database with %i MB left fails with one line and changes nothing",
  async (left) => {
    const dataDir = mount(`database-${left}`, "256m");
    expect(await createMember(dataDir)).toMatchObject({ code: 0 });
    const ballast = join(dataDir, "ballast");
    const { bavail, bsize } = statfsSync(dataDir);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - left * 1024 * 1024));
    expect(await runTool(dataDir, "restore", backup, "--replace")).toEqual(full(dataDir));
    rmSync(ballast);
    await expectsMember(dataDir);
    expect(await runTool(dataDir, "restore", backup, "--replace")).toMatchObject({ code: 0 });
  },
);

test("a restore whose pictures do not fit fails with one line, and changes neither rows nor pictures", async () => {
  const dataDir = join(folder, "pictures");
  expect(await createMember(dataDir)).toMatchObject({ code: 0 });
  const pictures = mount("pictures/images", "64k");
  expect(await runTool(dataDir, "restore", backup, "--replace")).toEqual(full(dataDir));
  await expectsMember(dataDir);
  const files = readdirSync(pictures, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files).toEqual([]);
});
