import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
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
  sound,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";

/** Films that were made to cost time and memory, or that state wrong sizes. */

const ass = subtitles(
  "S_TEXT/ASS",
  element(ids.codecPrivate, "[Script Info]\n\n[Events]\n"),
  element(ids.trackName, "Signs\u0000\u0007\u001b[2J\u202e & Songs\nDialogue: \r\n"),
);
const aac = sound(element(ids.codecId, "A_AAC"), element(ids.codecPrivate, Buffer.from([0x11, 0x90])));
const key = block(1, 0, true);
const beep = block(2, 0, true);

const silent = element(ids.tracks, picture, ass);
const silentCues = element(ids.cues, cue(0, silent.length));
const tracks = element(ids.tracks, picture, aac, ass);
const cues = element(ids.cues, cue(0, tracks.length));

/** Writes a file that begins with `first` and then repeats one part of a film many times. */
function writeRepeated(path: string, first: readonly Uint8Array[], repeated: Uint8Array, times: number) {
  const segment = Buffer.concat(first);
  const file = openSync(path, "w");
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
const font = attachment(
  "a\u0007\u202e.ttf",
  "font/ttf",
  Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.alloc(1000)]),
);

type Writers = Readonly<Record<string, (path: string) => void>>;

/** Films whose subtitles and fonts are hostile. */
export const hostileTracks = {
  "subtitles of 200 MB": (path) => {
    const lines = cluster(0, key, ...Array.from({ length: 10 }, () => longLine));
    closeSync(writeRepeated(path, [silent, silentCues], lines, 200));
  },
  "10,000 attachments": (path) => {
    const attachments = element(ids.attachments, ...Array.from({ length: 10_000 }, () => font));
    writeFileSync(path, filmOf(silent, silentCues, attachments, cluster(0, key, shortLine)));
  },
  "an attachment of 2 GB": (path) => {
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
    const descriptor = writeRepeated(path, [silent, silentCues, cluster(0, key, shortLine)], all, 1);
    ftruncateSync(descriptor, size + 10_000);
    closeSync(descriptor);
  },
  "one cluster without an end": (path) => {
    const endless = Buffer.concat([
      idBytes(ids.cluster),
      Buffer.from([0x01, 255, 255, 255, 255, 255, 255, 255]),
    ]);
    const lines = Buffer.concat(Array.from({ length: 10_000 }, () => shortLine));
    closeSync(writeRepeated(path, [silent, silentCues, endless], lines, 200));
  },
  "half a film": (path) => {
    const whole = filmOf(silent, silentCues, cluster(0, key, shortLine));
    writeFileSync(path, whole.subarray(0, whole.length - 10));
  },
} satisfies Writers;

/** An element that states the length `claimed`, whatever content follows. */
const lying = (id: number, claimed: number, ...content: Uint8Array[]) =>
  Buffer.concat([idBytes(id), sizeBytes(claimed), ...content]);

const written =
  (...parts: Uint8Array[]) =>
  (path: string) =>
    writeFileSync(path, filmOf(...parts));

/** Films whose picture and sound are hostile. */
export const hostileSegments = {
  "40 million packets in 40 MB": (path) => {
    // 256 empty packets in 260 bytes, by Xiph's lacing.
    const bomb = element(ids.simpleBlock, Buffer.from([0x82, 0, 10, 0x82, 255]), Buffer.alloc(255));
    const bombs = Buffer.concat(Array.from({ length: 10_000 }, () => bomb));
    const times = 16;
    const rest = Buffer.concat([idBytes(ids.cluster), sizeBytes(times * bombs.length)]);
    closeSync(writeRepeated(path, [tracks, cues, cluster(0, key, beep), rest], bombs, times));
  },
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
} satisfies Writers;

/** Writes the films as episodes of a title. */
export function writeHostileFilms(folder: string, films: Writers, firstEpisode = 1) {
  for (const [index, write] of Object.values(films).entries())
    write(join(folder, `Cowboy Bebop - ${String(firstEpisode + index).padStart(2, "0")}.mkv`));
}

/** Writes a film whose name contains control characters that would move the cursor of a terminal. */
export const writeHostileName = (folder: string) =>
  writeFileSync(
    join(folder, "Cowboy Bebop - 19\u0007\u001b[2J\u202e.mkv"),
    filmOf(tracks, cues, cluster(0, key)),
  );
