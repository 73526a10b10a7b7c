import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { startEmbedded } from "#db/embedded/embedded.server.ts";
import { createTables } from "#db/migrate.ts";
import { firstMigrations } from "#tests/support/database/first-schema.ts";
import { buildImage, listProcesses, newFolder, runInImage, startImage } from "#tests/support/site/image.ts";

/** The image of ops/Dockerfile, run as ops/compose.yaml runs it. */

// The image is built outside of a hook, because a hook cannot register work for the end of the file.
const image = buildImage();
const films = newFolder(image.root, "films");
copyFileSync("public/film/1/film.webm", join(films, "Cowboy Bebop - 01.webm"));

/** The owners of all files in the folder. */
const ownersIn = (folder: string): string[] => {
  const owner = (path: string) => {
    const { uid, gid } = lstatSync(path);
    return `${uid}:${gid}`;
  };
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return [...new Set([folder, ...files.map((file) => join(folder, file))].map(owner))];
};

async function expectWorkingSite(run: Parameters<typeof startImage>[1], ids: string) {
  const started = await startImage(image, run);
  const [uid, gid] = ids.split(":").map(Number);
  expect(started.site).toMatchObject({ uid, gid });
  expect((await fetch(`${started.origin}/readyz`)).status).toBe(200);
  expect((await fetch(`${started.origin}/anime/1`)).status).toBe(200);
  expect(started.lines.join("\n")).toContain("ffmpeg: /usr/bin/ffmpeg");
  expect(ownersIn(run.data)).toEqual([ids]);
  const made = runInImage(
    image,
    run,
    "user",
    "create",
    "someone@example.org",
    "--name",
    "Someone",
    "--operator",
  );
  expect(made, made.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining("an operator") });
  expect(ownersIn(run.data)).toEqual([ids]);
  return started;
}

test("as root, the container gives a folder of root to PUID, steps down, stops on SIGTERM and leaves no process", async () => {
  const data = newFolder(image.root, "of-root");
  const started = await expectWorkingSite(
    { data, films, variables: { PUID: "1000", PGID: "1000" } },
    "1000:1000",
  );
  // The site's user must not be able to become root again.
  const status = readFileSync(`/proc/${started.site.pid}/status`, "utf8");
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(status).toMatch(/^Groups:\s*$/m);
  expect(await started.stop()).toBe(0);
  expect(
    listProcesses().filter(({ line }) => line.includes(data) || line.includes("/data/database")),
  ).toEqual([]);
});

test("with any --user, even one without a name, the container starts with an empty folder of that user", async () => {
  for (const ids of ["65534:65534", "1026:100"]) {
    const data = newFolder(image.root, `of-${ids.replace(":", "-")}`);
    const [uid = 0, gid = 0] = ids.split(":").map(Number);
    chownSync(data, uid, gid);
    const started = await expectWorkingSite({ data, films, user: ids }, ids);
    expect(await started.stop()).toBe(0);
  }
});

test("with the first version's data and another PUID, the container migrates after a backup, keeps accounts and names unreadable films", async () => {
  const data = newFolder(image.root, "old");
  await makeFirstVersion(data);
  execFileSync("chown", ["-R", "1000:1000", data]);
  const closed = newFolder(image.root, "closed");
  chmodSync(closed, 0o700);
  const run = { data, films: closed, variables: { PUID: "1026", PGID: "100" } };
  const started = await expectWorkingSite(run, "1026:100");
  expect(runInImage(image, run, "user", "list").stdout).toContain("old@example.org");
  const [backup] = readdirSync(join(data, "backups"));
  expect(backup).toMatch(/^before-migration-/);
  await expect
    .poll(() => started.lines.join("\n"))
    .toContain("The user 1026 cannot read /media: give it read and enter rights.");
  const restore = ["restore", `/data/backups/${backup}`, "--replace"];
  expect(runInImage(image, run, ...restore).stderr).toContain("The site runs on this database");
  expect(await started.stop()).toBe(0);
  // The administration page names this command as the way back.
  expect(runInImage(image, run, ...restore)).toMatchObject({ status: 0 });
  const left = runInImage(image, run, "user", "list").stdout;
  expect(left).toContain("old@example.org");
  expect(left).not.toContain("someone@example.org");
});

test("as the first process of a container, the site forwards SIGTERM and collects orphaned processes", async () => {
  const data = newFolder(image.root, "first-process");
  const before = ["unshare", "--pid", "--fork", "--mount-proc"];
  const started = await startImage(image, { data, films, before });
  const first = listProcesses().find(({ pid }) => pid === started.site.parent);
  expect(first).toMatchObject({ uid: 1000, line: expect.stringMatching(/^tini -- node /) });
  // The shell ends before its child, which the first process then adopts. A pipe would wait for that child.
  const orphan = ["sh", "-c", "sleep 86399 & exit 0"];
  execFileSync("nsenter", ["-t", String(started.site.pid), "-p", "-m", ...orphan], { stdio: "ignore" });
  const left = listProcesses().find(({ line }) => line === "sleep 86399");
  expect(left?.parent).toBe(first?.pid);
  process.kill(left?.pid ?? 0, "SIGKILL");
  // A process that is never collected would stay in the list.
  await expect.poll(() => listProcesses().some(({ pid }) => pid === left?.pid)).toBe(false);
  expect(await started.stop(first?.pid)).toBe(0);
});

test("the container refuses an unknown command with a list of the commands, and an invalid PUID with a message", () => {
  const run = { data: newFolder(image.root, "refused"), films };
  expect(runInImage(image, run, "sh")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("catalog:import"),
  });
  const named = runInImage(image, { ...run, variables: { PUID: "films" } }, "user", "list");
  expect(named).toMatchObject({ status: 1, stderr: expect.stringContaining("must be numbers") });
  expect(runInImage(image, run, "user", "--help").stdout).toContain("Usage: engawa user COMMAND");
});

/** The data folder left behind by the first version. */
async function makeFirstVersion(folder: string) {
  const server = await startEmbedded(folder);
  const sql = postgres({ ...server.connection, max: 1, onnotice: () => {} });
  await sql.begin((transaction) => createTables(transaction, firstMigrations));
  await sql`insert into users (email, username, name) values ('old@example.org', 'Old', 'Old')`;
  await sql.end();
  await server.stop();
}
