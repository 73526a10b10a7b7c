import { linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Attacker } from "#tests/load/attacks/attacker.ts";
import {
  fillList,
  listTitles,
  type MemberTarget,
  memberFloods,
  memberHolds,
  newSessions,
  shapes,
  startFlood,
} from "#tests/load/attacks/member-attacks.ts";
import { figure } from "#tests/load/figures.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { residentMiB, totalMiB } from "#tests/support/site/memory.ts";
import { type Site, startSite } from "#tests/support/site/site-process.ts";

/**
 * Runs all floods of members, one mixture after another, on a site with films. The site must not crash. Its resident
 * memory afterwards is a figure beside the earlier ones, and should be within a quarter of them. `npm run test:load --
 * mixed-floods --minutes=60` takes an hour for each size of the site; the default is ten minutes.
 */

const minutes = Number(process.env.LOAD_MINUTES ?? 10);
/** The duration of one mixture: three floods at once, and one kind of slow readers. */
const mixtureMs = 20_000;
const floodsAtOnce = 3;
const mixturesOfAllFloods = Math.ceil(Object.keys(memberFloods).length / floodsAtOnce);
let refusedTargets = 0;

const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
const picture = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "10M"];
const film = { size: "960x540", filter: "noise=alls=40:allf=t", picture, sounds: [{ codec: "aac" }] };
const first = makeFilm(films, "Bleach - 1.mkv", { ...film, seconds: 12, times: 10 });
linkSync(first, join(films, "Bleach - 2.mkv"));

test.each([512, 1024])(
  "a site with MEMORY=%i and films survives mixed floods",
  async (memory) => {
    const settings = { MEDIA_DIR: films, MEMORY: String(memory), RATE_LIMIT_AUTH_POINTS: "100000" };
    const site = await startSite(settings, { isQuiet: true });
    runTool(site, "sources", ["scan", films]);
    const label = `mixed floods with films, MEMORY=${memory}`;

    let mostTotal = 0;
    let mostResident = 0;
    const sampling = setInterval(() => {
      mostTotal = Math.max(mostTotal, totalMiB(site.process, site.dataDir));
      mostResident = Math.max(mostResident, residentMiB(site));
    }, 500);
    // Every flood once fills the caches, so that they do not count as a leak.
    for (let round = 0; round < mixturesOfAllFloods; round++) await oneMixture(site, round);
    const before = await settled(site);
    let mixtures = 0;
    // Memory that grows from quarter to quarter is a leak.
    const quarters: number[] = [];
    let after = before;
    while (quarters.length < 4) {
      const endsAt = performance.now() + minutes * 15_000;
      while (performance.now() < endsAt) await oneMixture(site, mixtures++);
      after = await settled(site);
      quarters.push(after.resident);
      figure(label, `resident memory after quarter ${quarters.length}`, after.resident, "MiB");
    }
    clearInterval(sampling);

    expect(site.process.exitCode).toBeNull();
    expect((await fetch(site.origin)).status).toBe(200);
    figure(label, "minutes", minutes, "min");
    figure(label, "mixtures", mixtures, "");
    figure(label, "accounts that were refused at first", refusedTargets, "");
    figure(label, "resident memory before", before.resident, "MiB");
    figure(label, "resident memory at most", mostResident, "MiB");
    figure(label, "afterwards beside before", after.resident / before.resident, "times");
    figure(label, "afterwards beside the first quarter", after.resident / (quarters[0] ?? 0), "times");
    figure(label, "all processes before", before.total, "MiB");
    figure(label, "all processes at most", mostTotal, "MiB");
    figure(label, "all processes afterwards", after.total, "MiB");
  },
  (minutes + 15) * 60_000 * 2,
);

async function newTarget(origin: string): Promise<MemberTarget> {
  const target = { malIds: await listTitles(origin), sessions: await newSessions(origin, 4) };
  await fillList(origin, target);
  return target;
}

/** Each round begins with another flood, so that an hour runs every mixture in every shape. */
async function oneMixture({ origin }: Site, round: number) {
  // On a busy machine, the site may refuse a sign-up or a list. An hour of floods must not end with one refusal.
  const target = await newTarget(origin).catch(async () => {
    refusedTargets += 1;
    await pause(mixtureMs);
    return newTarget(origin);
  });
  const attackers = Array.from({ length: 16 }, (_, at) => new Attacker(origin, `127.0.0.${20 + at}`));
  const floods = Object.values(memberFloods);
  const shapesInTurn = Object.values(shapes);
  for (let at = 0; at < floodsAtOnce; at++)
    startFlood(
      attackers,
      floods[(round * floodsAtOnce + at) % floods.length]!,
      target,
      shapesInTurn[(round + at) % shapesInTurn.length]!,
    );
  const holds = Object.values(memberHolds);
  const { count, bytes, reads } = holds[round % holds.length]!;
  attackers.at(-1)?.hold(count, bytes(target), { reads });
  await pause(mixtureMs);
  for (const attacker of attackers) attacker.stop();
  await pause(2000);
}

/** Waits until idle caches and threads have ended, which takes half a minute at most. */
async function settled(site: Site) {
  await pause(45_000);
  return { resident: residentMiB(site), total: totalMiB(site.process, site.dataDir) };
}
