import { readFileSync } from "node:fs";
import { appendFile, mkdir, rename, rm, rmdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { startPostgres } from "#tests/support/database/postgres.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { type Site, startSite } from "#tests/support/site/site-process.ts";

/**
 * Two instances watch one folder in which files are added, grow, disappear and move all the time. No film is lost,
 * registered twice or taken from outside the folder.
 */

const root = temporaryFolder("chaos");
const [media, outside] = [join(root, "films"), join(root, "outside")];
const stormMs = 60_000;
const operationsPerSecond = 50;

type File = { path: string; isKept: boolean };

let state = 20;
/** Returns the next pseudo-random number from 0 to `below`, the same in each run. */
function dice(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (state >>> 8) % below;
}

const files: File[] = [];
let made = 0;
const newPath = (episode = String(1 + dice(26)).padStart(2, "0")) => {
  const folder = ["", `Box ${dice(6)}/`, `Box ${dice(6)}/Cowboy Bebop/`][dice(3)];
  return `${folder}[Group ${made++}] Cowboy Bebop - ${episode}.avi`;
};

async function make({ isKept = false, isFresh = false } = {}) {
  const path = newPath();
  await mkdir(dirname(join(media, path)), { recursive: true });
  // No two files have the same size, as with real films.
  await writeFile(join(media, path), `film ${made} ${"x".repeat(made)}`);
  const at = Date.now() / 1000 - 3600 - made;
  if (!isFresh) await utimes(join(media, path), at, at);
  files.push({ path, isKept });
}

async function storm(until: number) {
  while (performance.now() < until) {
    const begin = performance.now();
    const kind = dice(10);
    const file = files[dice(files.length)];
    if (kind < 3 || file === undefined) await make({ isFresh: kind === 0 });
    else if (kind < 5 && !file.isKept) await appendFile(join(media, file.path), "more");
    else if (kind < 7 && !file.isKept) {
      await rm(join(media, file.path));
      files.splice(files.indexOf(file), 1);
    } else {
      const path = newPath(/ - (\d\d)/.exec(file.path)?.[1]);
      await mkdir(dirname(join(media, path)), { recursive: true });
      await rename(join(media, file.path), join(media, path));
      file.path = path;
    }
    await pause(Math.max(0, 1000 / operationsPerSecond - (performance.now() - begin)));
  }
}

/** The process that runs one instance's scan. */
function scannersOf({ process: { pid } }: Site): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.map(Number).filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, "utf8").includes("sources.js");
    } catch {
      return false;
    }
  });
}

/** Returns false if the process has already ended. */
function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

async function makeHostileNames() {
  await mkdir(join(media, "Hostile"));
  await mkdir(outside);
  await writeFile(join(outside, "Cowboy Bebop - 05.avi"), "nothing that anybody may see");
  const at = (name: string) => join(media, "Hostile", name);
  const invalid = Buffer.concat([
    Buffer.from(at("Cowboy Bebop - 03 ")),
    Buffer.from([0xff, 0xfe, 0x2e, 0x61, 0x76, 0x69]),
  ]);
  for (const path of [at("Cowboy Bebop - 01\n.avi"), at("Cowboy Bebop - 02\u0007.avi"), invalid])
    await writeFile(path, "hidden by its name");
  const found = ["\u202eCowboy Bebop - 06.avi", `Cowboy Bebop - 07 ${"y".repeat(233)}.avi`];
  for (const [index, name] of found.entries()) {
    await writeFile(at(name), `hostile ${index} ${"z".repeat(5000 + index)}`);
    await utimes(at(name), 1_600_000_000, 1_600_000_000 + index);
    files.push({ path: `Hostile/${name}`, isKept: true });
  }
  await symlink(outside, at("link"));
  await symlink(join(outside, "Cowboy Bebop - 05.avi"), at("Cowboy Bebop - 05.avi"));
  await symlink(".", at("loop"));
}

test("two instances that watch one folder lose no film during a minute of chaos in it", async () => {
  await mkdir(media, { recursive: true });
  await makeHostileNames();
  for (let count = 0; count < 60; count++) await make({ isKept: true });
  const database = await startPostgres();
  const settings = {
    DATABASE_URL: database.url,
    MEDIA_DIR: media,
    SESSION_SECRET: "the same for both ".repeat(3),
  };
  const sites = [await startSite(settings), await startSite(settings)];
  const sql = postgres(database.url, { onnotice: () => {} });
  atEnd(() => sql.end());
  const here = () => sql<{ id: string; path: string; sources: number }[]>`
    select films.id, path, (select count(*)::int from episode_sources where film_id = films.id) as sources
    from films where gone_at is null and not starts_with(path, '/film/')`;
  const scanned = async () => {
    await sql`insert into scan_requests (folder, reason) values ('', 'operator') on conflict do nothing`;
    const paths = () => files.map(({ path }) => `${path} 1`).sort();
    await expect
      .poll(async () => (await here()).map(({ path, sources }) => `${path} ${sources}`).sort(), {
        interval: 500,
      })
      .toEqual(paths());
  };
  const idsOfKept = async () => {
    const ids = new Map((await here()).map(({ id, path }) => [path, id]));
    return files.filter(({ isKept }) => isKept).map(({ path }) => ids.get(path));
  };
  await scanned();
  const before = await idsOfKept();
  expect(new Set(before).size).toBe(62);

  const begin = performance.now();
  await storm(begin + stormMs / 3);
  // Scanners are killed while they scan.
  let killed = 0;
  const end = begin + (2 * stormMs) / 3;
  const killing = (async () => {
    while (killed < 3 && performance.now() < end) {
      const [open] = await sql`select id from scans where outcome is null`;
      if (open !== undefined) killed += sites.flatMap(scannersOf).filter(killIfThere).length;
      await pause(5);
    }
  })();
  await storm(end);
  await killing;
  expect(killed).toBeGreaterThan(0);

  // The disk is unmounted and then mounted again.
  await rename(media, `${media} away`);
  await mkdir(media);
  await sql`insert into scan_requests (folder, reason) values ('', 'operator') on conflict do nothing`;
  await expect
    .poll(async () => (await sql`select message from scans order by started_at desc limit 1`)[0]?.message)
    .toMatch(/The media folder is empty/);
  await rmdir(media);
  await rename(`${media} away`, media);
  await storm(begin + stormMs);

  // A film that a scan saw at its new path before missing it at the old one counts as two until a later scan has read both.
  await expect.poll(() => scanned().then(idsOfKept), { interval: 1000 }).toEqual(before);
  // Removed films are still known, with their sources.
  const [gone] = await sql`select count(*)::int as films, count(film_id)::int as sources from films
    left join episode_sources on film_id = films.id where gone_at is not null`;
  expect(gone?.sources).toBeGreaterThan(0);
  const double = await sql`
    select film_id from episode_sources where film_id is not null group by film_id having count(*) > 1`;
  expect([...double]).toEqual([]);
  // Only one scan runs at a time, across both instances.
  const together = await sql`select one.id from scans one join scans other on one.id < other.id
    and one.started_at < other.ended_at and other.started_at < one.ended_at`;
  expect([...together]).toEqual([]);

  // Events still arrive after the folder was replaced: a new film is registered without a requested scan.
  await make({ isKept: true });
  const last = files.at(-1)?.path ?? "";
  await expect.poll(async () => (await here()).some(({ path }) => path === last)).toBe(true);

  const [stray] =
    await sql`select path from films where path ~ 'link|loop|- 05|- 01|- 02|- 03 ' and path ~ '^Hostile'`;
  expect(stray).toBeUndefined();
  for (const { origin, logged } of sites) {
    for (const path of [
      "link/Cowboy%20Bebop%20-%2005.avi",
      "Cowboy%20Bebop%20-%2005.avi",
      "loop/Cowboy%20Bebop%20-%2005.avi",
    ])
      expect((await fetch(`${origin}/media/Hostile/${path}`)).status, path).toBe(404);
    expect((await fetch(`${origin}/media/Hostile/Cowboy%20Bebop%20-%2001%0A.avi`)).status).toBe(400);
    expect((await fetch(origin)).status).toBe(200);
    expect(logged.filter(({ level }) => level === "error")).toEqual([]);
  }
});
