import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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
  line,
  picture,
  sizeBytes,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { watchSite } from "#tests/support/site/watch-site.ts";

/** Films that were made to cost time and memory: each is answered in bounded time while the site stays quick. */

const memory = 1024;
const films = temporaryFolder("films");
const pathOf = (episode: number) => join(films, `Cowboy Bebop - 0${episode}.mkv`);

const head = "[Script Info]\n\n[Events]\n";
const ass = subtitles(
  "S_TEXT/ASS",
  element(ids.codecPrivate, head),
  element(ids.trackName, "Signs\u0000\u0007\u001b[2J\u202e & Songs\nDialogue: \r\n"),
);
const tracks = element(ids.tracks, picture, ass);
const cues = element(ids.cues, cue(0, tracks.length));

/** Writes the same part of a film many times. */
function write(episode: number, first: readonly Uint8Array[], repeated: Uint8Array, times: number) {
  const segment = Buffer.concat(first);
  const file = openSync(pathOf(episode), "w");
  writeSync(file, header);
  writeSync(
    file,
    Buffer.concat([idBytes(ids.segment), sizeBytes(segment.length + times * repeated.length), segment]),
  );
  for (let count = 0; count < times; count++) writeSync(file, repeated);
  return file;
}

const longLine = line({ ticks: 10, duration: 1000, text: `0,0,Default,,0,0,0,,${"word ".repeat(20_000)}` });
const shortLine = line({ ticks: 10, text: "0,0,Default,,0,0,0,,word" });
const shortLines = Buffer.concat(Array.from({ length: 10_000 }, () => shortLine));
const font = attachment(
  "a\u0007\u202e.ttf",
  "font/ttf",
  Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.alloc(1000)]),
);

const hostile: Record<string, () => number> = {
  "subtitles of 200 MB": () =>
    write(
      1,
      [tracks, cues],
      cluster(0, block(1, 0, true), ...Array.from({ length: 10 }, () => longLine)),
      200,
    ),
  "10,000 attachments": () =>
    write(
      2,
      [tracks, cues, element(ids.attachments, ...Array.from({ length: 10_000 }, () => font))],
      cluster(0, block(1, 0, true), shortLine),
      1,
    ),
  "an attachment of 2 GB": () => {
    const size = 2 ** 31;
    const data = Buffer.concat([idBytes(ids.fileData), sizeBytes(size)]);
    const named = element(ids.fileName, "huge.ttf");
    const file = Buffer.concat([
      idBytes(ids.attachedFile),
      sizeBytes(named.length + data.length + size),
      named,
      data,
    ]);
    const all = Buffer.concat([idBytes(ids.attachments), sizeBytes(file.length + size), file]);
    const descriptor = write(3, [tracks, cues, cluster(0, block(1, 0, true), shortLine)], all, 1);
    ftruncateSync(descriptor, 2 ** 31 + 10_000);
    return descriptor;
  },
  "one cluster without an end": () => {
    const endless = Buffer.concat([
      idBytes(ids.cluster),
      Buffer.from([0x01, 255, 255, 255, 255, 255, 255, 255]),
    ]);
    return write(4, [tracks, cues, endless], shortLines, 200);
  },
  "half a film": () => {
    const whole = filmOf(tracks, cues, cluster(0, block(1, 0, true), shortLine));
    const descriptor = openSync(pathOf(5), "w");
    writeSync(descriptor, whole.subarray(0, whole.length - 10));
    return descriptor;
  },
};
for (const make of Object.values(hostile)) closeSync(make());

const site = await startSite({ MEDIA_DIR: films, MEMORY: String(memory) }, { isQuiet: true });
process.env.MEDIA_DIR = films;
runTool(site, "sources", ["scan", films]);
// The first requests after the start take longer.
for (let count = 0; count < 20; count++) await fetch(`${site.origin}/healthz`);

type Wire = { subtitles: { url: string; label: string }[] };

/** Of the WebVTT, the script, and three fonts. A damaged track gets 500, as a damaged segment does. */
const expected: Record<keyof typeof hostile, number[]> = {
  "subtitles of 200 MB": [413, 413, 404, 404, 404],
  "10,000 attachments": [200, 200, 200, 404, 404],
  "an attachment of 2 GB": [200, 200, 404, 404, 404],
  "one cluster without an end": [500, 500, 404, 404, 404],
  "half a film": [200, 200, 404, 404, 404],
};

describe.each([...Object.keys(hostile).entries()])("%i", (index, what) => {
  test(`a film with ${what} is answered in bounded time and memory, and the site stays quick`, async () => {
    const finish = watchSite(site);
    const since = performance.now();
    const answer = await fetch(`${site.origin}/api/episodes/getEpisode?mal_id=1&ep=${index + 1}`);
    const { data } = (await answer.json()) as { data: Wire };
    const statuses: number[] = [];
    for (const { url, label } of data.subtitles) {
      expect(label).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      statuses.push(await statusOf(url), await statusOf(url.replace(/vtt$/, "ass")));
      for (const name of ["font-0", "font-99", "font-999"])
        statuses.push(await statusOf(url.replace(/[^/]*$/, name)));
    }
    const { usualMs, mostMiB } = await finish();
    expect([answer.status, data.subtitles.length]).toEqual([200, 1]);
    expect(statuses).toEqual(expected[what]);
    expect(performance.now() - since).toBeLessThan(60_000);
    expect(usualMs).toBeLessThan(100);
    expect(mostMiB).toBeLessThan(memory);
  });
});

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}
