import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  attachment,
  block,
  cluster,
  cue,
  element,
  filmOf,
  header,
  idBytes,
  ids,
  picture,
  sizeBytes,
  sound,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { watchSite } from "#tests/support/site/watch-site.ts";

/** Films whose segments were made to cost time and memory, or whose sizes lie. */

const memory = 1024;
const films = temporaryFolder("films");

const aac = sound(element(ids.codecId, "A_AAC"), element(ids.codecPrivate, Buffer.from([0x11, 0x90])));
const ass = subtitles("S_TEXT/ASS", element(ids.codecPrivate, "[Script Info]\n\n[Events]\n"));
const tracks = element(ids.tracks, picture, aac, ass);
const cues = element(ids.cues, cue(0, tracks.length));
const key = block(1, 0, true);
const beep = block(2, 0, true);
/** Says that it is as long as `claimed`, whatever follows. */
const lying = (id: number, claimed: number, ...content: Uint8Array[]) =>
  Buffer.concat([idBytes(id), sizeBytes(claimed), ...content]);

/** 256 empty packets in 260 bytes, by Xiph's lacing. */
const bomb = element(ids.simpleBlock, Buffer.from([0x82, 0, 10, 0x82, 255]), Buffer.alloc(255));
const bombs = Buffer.concat(Array.from({ length: 10_000 }, () => bomb));

function writeBombs(path: string) {
  const times = 16;
  const begin = cluster(0, key, beep);
  const file = openSync(path, "w");
  const rest = Buffer.concat([idBytes(ids.cluster), sizeBytes(times * bombs.length)]);
  const size = tracks.length + cues.length + begin.length + rest.length + times * bombs.length;
  writeSync(file, Buffer.concat([header, idBytes(ids.segment), sizeBytes(size), tracks, cues, begin, rest]));
  for (let count = 0; count < times; count++) writeSync(file, bombs);
  closeSync(file);
}

const written =
  (...parts: Uint8Array[]) =>
  (path: string) =>
    writeFileSync(path, filmOf(...parts));

const hostile: Record<string, (path: string) => void> = {
  "40 million packets in 40 MB": writeBombs,
  "a cluster that ends beyond the file": written(tracks, cues, lying(ids.cluster, 2 ** 50, key, beep)),
  "blocks that end beyond their cluster": written(
    tracks,
    cues,
    cluster(0, key, beep, lying(ids.simpleBlock, 2 ** 40, Buffer.from([0x82, 0, 20, 0x80, 1]))),
    cluster(1000, key, beep),
  ),
  "tracks that end beyond the file": written(lying(ids.tracks, 2 ** 52, picture, aac), cues, cluster(0, key)),
  "an index of places beyond the file": written(
    tracks,
    element(ids.cues, ...Array.from({ length: 10_000 }, (_, at) => cue(at, 65_535))),
    cluster(0, key, beep),
  ),
  "a font that is none": written(
    tracks,
    cues,
    element(ids.attachments, attachment("a.ttf", "font/ttf", "<script>alert(1)</script>".repeat(50))),
    cluster(0, key, beep),
  ),
};
const names = Object.keys(hostile);
for (const [index, make] of Object.values(hostile).entries())
  make(join(films, `Cowboy Bebop - 0${index + 1}.mkv`));
writeFileSync(
  join(films, "Cowboy Bebop - 09\u0007\u001b[2J\u202e.mkv"),
  filmOf(tracks, cues, cluster(0, key)),
);

const site = await startSite({ MEDIA_DIR: films, MEMORY: String(memory) }, { isQuiet: true });
process.env.MEDIA_DIR = films;
const scanned = runTool(site, "sources", ["scan", films]);
for (let count = 0; count < 20; count++) await fetch(`${site.origin}/healthz`);

async function ask(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

/** The statuses of all that the playlists name. */
async function statusesBelow(url: string): Promise<number[]> {
  const { status, text } = await ask(url);
  const below = text.startsWith("#EXTM3U")
    ? [...text.matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)].map(([, quoted, line]) => quoted ?? line ?? "")
    : [];
  const found: number[] = [status];
  for (const one of new Set(below)) found.push(...(await statusesBelow(new URL(one, url).href)));
  return found;
}

/** Those of which a part is refused. */
const damaged = names.filter(
  (name) => !["tracks that end beyond the file", "a font that is none"].includes(name),
);

test("control characters of file names reach no terminal", () => {
  // The film whose name holds them is not registered.
  expect(scanned).toContain("Cowboy Bebop - 01");
  expect(scanned).not.toContain("Cowboy Bebop - 09");
  expect(scanned).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});

test.each(names)(
  "a film with %s is answered in bounded time and memory, and the site stays quick",
  async (name) => {
    const finish = watchSite(site);
    const since = performance.now();
    const episode = names.indexOf(name) + 1;
    const { data } = JSON.parse(
      (await ask(`${site.origin}/api/episodes/getEpisode?mal_id=1&ep=${episode}`)).text,
    );
    const statuses = data.video_url === null ? [] : await statusesBelow(data.video_url);
    const fonts: number[] = [];
    for (const { url } of data.subtitles) fonts.push((await ask(url.replace(/[^/]*$/, "font-0"))).status);
    const page = await ask(`${site.origin}/watch/1/${episode}`);
    const { usualMs, mostMiB } = await finish();
    expect(statuses.filter((status) => ![200, 404, 500].includes(status))).toEqual([]);
    expect(statuses.includes(500)).toBe(damaged.includes(name));
    expect(fonts).toEqual(fonts.map(() => 404));
    expect(page.status).toBe(200);
    expect(performance.now() - since).toBeLessThan(20_000);
    expect(usualMs).toBeLessThan(100);
    expect(mostMiB).toBeLessThan(memory);
  },
);
