import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { DamagedFilm } from "#app/media/film/film-bytes.ts";
import { ids } from "#app/media/matroska/element-ids.ts";
import { type LinesCursor, readSubtitleLines } from "#app/media/matroska/subtitle-lines.ts";
import { packLines } from "#app/media/subtitles/block-lines.ts";
import { writeSubtitles } from "#app/media/subtitles/subtitle-text.ts";
import {
  block,
  cluster,
  compression,
  cue,
  element,
  filmOf,
  idBytes,
  line,
  picture,
  reader,
  sizeBytes,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";

const never = () => false;

/** The whole script, read in parts. */
function scriptOf(bytes: Uint8Array, form: "ass" | "vtt", isOver = never) {
  const packed: Buffer[] = [];
  let from: LinesCursor | null = null;
  for (let parts = 1; ; parts++) {
    const read = readSubtitleLines(reader(bytes), { track: 3, from }, isOver);
    packed.push(packLines(read.lines));
    from = read.next;
    if (from !== null) continue;
    const { format, head } = read;
    if (format === "pgs" || format === "vobsub") throw new Error("pictures");
    const text = writeSubtitles({ kind: "subtitles", bytes: Buffer.concat(packed), format, form, head });
    return { text, parts };
  }
}

const head =
  "[Script Info]\nTitle: Rain\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
const ass = (...fields: Uint8Array[]) =>
  element(ids.tracks, picture, subtitles("S_TEXT/ASS", element(ids.codecPrivate, head), ...fields));
const first = line({ ticks: 1000, duration: 2000, text: "1,0,Default,,0,0,0,,Rain" });
const second = line({ ticks: 1000, duration: 500, text: "0,5,Sign,,0,0,0,,{\\pos(1,2)}Station" });
const clusters = [
  cluster(0, block(1, 0, true), first, second),
  cluster(4000, block(1, 0, true), line({ ticks: 10, text: "2,0,Default,,0,0,0,,Snow" })),
];
const script = `${head}Dialogue: 5,0:00:01.00,0:00:01.50,Sign,,0,0,0,,{\\pos(1,2)}Station
Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,Rain
Dialogue: 0,0:00:04.01,0:00:09.01,Default,,0,0,0,,Snow
`;

describe("an ASS track", () => {
  test("without an index becomes the original script, in the order of the script", () => {
    expect(scriptOf(filmOf(ass(), ...clusters), "ass").text).toBe(script);
  });

  test("is read in parts, each ending with a cluster", () => {
    expect(scriptOf(filmOf(ass(), ...clusters), "ass", () => true)).toEqual({ text: script, parts: 2 });
  });

  test("is offered as plain text", () => {
    expect(scriptOf(filmOf(ass(), ...clusters), "vtt").text).toContain("00:00:04.010 --> 00:00:09.010\nSnow");
  });

  const compressed = (algorithm: number, settings = "") => ass(compression(algorithm, settings));

  test("that is compressed by zlib, or lacks the start of each line, is still read", () => {
    const text = "0,0,Default,,0,0,0,,Rain";
    const zlib = filmOf(compressed(0), cluster(0, line({ ticks: 1000, text: deflateSync(text) })));
    const stripped = filmOf(compressed(3, "0,0,"), cluster(0, line({ ticks: 1000, text: text.slice(4) })));
    for (const film of [zlib, stripped])
      expect(scriptOf(film, "ass").text).toContain("Dialogue: 0,0:00:01.00,0:00:06.00,Default,,0,0,0,,Rain");
  });

  test("is read without lines that grow to megabytes or whose compression is invalid", () => {
    const bomb = deflateSync(Buffer.alloc(50 * 1024 * 1024));
    const film = filmOf(
      compressed(0),
      cluster(0, line({ ticks: 0, text: bomb }), line({ ticks: 1, text: "no zlib" })),
    );
    expect(scriptOf(film, "ass").text).toBe(head);
  });

  test("that is encrypted, or compressed in another way, is refused", () => {
    expect(() => scriptOf(filmOf(compressed(1), ...clusters), "ass")).toThrow(DamagedFilm);
  });
});

describe("with an index that names each line", () => {
  const tracks = ass();
  const filler = element(ids.simpleBlock, Buffer.concat([Buffer.from([0x81, 0, 0, 0]), Buffer.alloc(3000)]));
  const relative = element(ids.clusterTimestamp, 0).length + filler.length;
  const many = Array.from({ length: 8 }, () => cluster(0, filler, first, second));
  const size = many[0]?.length ?? 0;
  const cuesAt = (start: number, places: readonly number[]) =>
    element(
      ids.cues,
      ...many.flatMap((_, at) =>
        places.map((place) => cue(1000, start + at * size, { track: 3, relative: place })),
      ),
    );

  /** The number of lines read, and whether the picture of the last cluster was read. */
  function readWith(...places: number[]) {
    const cues = cuesAt(tracks.length + cuesAt(0, places).length, places);
    const bytes = filmOf(tracks, cues, ...many);
    const headOfCluster = 12;
    const pictureAt = bytes.length - size + headOfCluster + relative - filler.length;
    let readsPicture = false;
    const film = reader(bytes);
    const watched = {
      ...film,
      read(at: number, length: number) {
        readsPicture ||= at + length > pictureAt && at < pictureAt + filler.length;
        return film.read(at, length);
      },
    };
    const { lines } = readSubtitleLines(watched, { track: 3, from: null }, never);
    return { lines: lines.length, readsPicture };
  }

  test("only the lines are read, and not the pictures beside them", () => {
    expect(readWith(relative, relative + first.length)).toEqual({ lines: 16, readsPicture: false });
  });

  test("if it names only one of several lines, the whole film is read", () => {
    expect(readWith(relative)).toEqual({ lines: 16, readsPicture: true });
  });
});

test("SubRip and WebVTT become WebVTT", () => {
  const filmWith = (codecId: string, text: string) =>
    filmOf(
      element(ids.tracks, picture, subtitles(codecId)),
      cluster(0, line({ ticks: 1000, duration: 1000, text })),
    );
  const wanted = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>Rain</i> &amp; snow\n";
  expect(scriptOf(filmWith("S_TEXT/UTF8", "<i>Rain</i> & snow"), "vtt").text).toBe(wanted);
  expect(scriptOf(filmWith("S_TEXT/WEBVTT", "<i>Rain</i> &amp; snow"), "vtt").text).toBe(wanted);
});

describe("the settings of a WebVTT cue", () => {
  const addition = (text: string, ...fields: Uint8Array[]) =>
    element(ids.blockAdditions, element(ids.blockMore, ...fields, element(ids.blockAdditional, text)));
  const textOf = (additions: Uint8Array, isIndexed: boolean) => {
    const content = Buffer.concat([Buffer.from([0x83, 0, 100, 0]), Buffer.from("Rain")]);
    const group = element(
      ids.blockGroup,
      element(ids.block, content),
      element(ids.blockDuration, 1000),
      additions,
    );
    const [tracks, time] = [
      element(ids.tracks, picture, subtitles("S_TEXT/WEBVTT")),
      element(ids.clusterTimestamp, 0),
    ];
    const index = (at: number) => element(ids.cues, cue(100, at, { track: 3, relative: time.length }));
    const at = tracks.length + index(0).length;
    const film = filmOf(tracks, ...(isIndexed ? [index(at)] : []), element(ids.cluster, time, group));
    return scriptOf(film, "vtt").text;
  };

  test.each([false, true])("lie beside its text, with an index: %s", (isIndexed) => {
    const start = "WEBVTT\n\n00:00:00.100 --> 00:00:01.100";
    const beside = (...given: Parameters<typeof addition>) => textOf(addition(...given), isIndexed);
    const settings = "line:10% position:20% size:50% align:start";
    expect(beside(`${settings}\ncue 1\nNOTE a note`)).toBe(`${start} ${settings}\nRain\n`);
    expect(beside("line:0")).toBe(`${start} line:0\nRain\n`);
    expect(beside("\ncue 1")).toBe(`${start}\nRain\n`);
    expect(beside("--> line:1 <b>")).toBe(`${start} line:1\nRain\n`);
    expect(beside("line:10%", element(ids.blockAddId, 4))).toBe(`${start}\nRain\n`);
    expect(beside("line:1 ".repeat(10_000))).toContain("Rain");
    expect(textOf(element(ids.blockAdditions, Buffer.of(0xa6, 0xff)), isIndexed)).toBe(`${start}\nRain\n`);
  });
});

describe("the WebVTT of WebM", () => {
  const textOf = (kind: string, block: string) =>
    scriptOf(
      filmOf(
        element(ids.tracks, picture, subtitles(`D_WEBVTT/${kind}`)),
        cluster(0, line({ ticks: 1000, duration: 1000, text: block })),
      ),
      "vtt",
    ).text;
  const time = "00:00:01.000 --> 00:00:02.000";

  test("has the name and the settings of a cue before its text", () => {
    for (const kind of ["SUBTITLES", "CAPTIONS", "DESCRIPTIONS"])
      expect(textOf(kind, "cue 1\nline:10% align:start\nRain\n& snow")).toBe(
        `WEBVTT\n\n${time} line:10% align:start\nRain\n& snow\n`,
      );
    expect(textOf("SUBTITLES", "\n\nRain")).toBe(`WEBVTT\n\n${time}\nRain\n`);
  });

  test("has no settings that begin another cue, and no line without both", () => {
    expect(textOf("SUBTITLES", "\n--> line:1 <b> region:x\nRain")).toBe(`WEBVTT\n\n${time} line:1\nRain\n`);
    expect(textOf("SUBTITLES", "Rain")).not.toContain("Rain");
  });

  test("keeps only the bytes of each line, and not those that were read with it", () => {
    const bytes = filmOf(
      element(ids.tracks, picture, subtitles("D_WEBVTT/SUBTITLES")),
      cluster(0, line({ ticks: 1000, duration: 1000, text: `${"x".repeat(400_000)}\nline:1\nRain` })),
    );
    const film = {
      ...reader(bytes),
      read: (at: number, length: number) => new Uint8Array(bytes.subarray(at, at + length)),
    };
    const [read] = readSubtitleLines(film, { track: 3, from: null }, never).lines;
    expect(Buffer.from(read?.text ?? []).toString()).toBe("Rain");
    for (const kept of [read?.text, read?.settings]) expect(kept?.buffer.byteLength).toBeLessThan(100_000);
  });

  test("with settings of megabytes in one cluster is refused", () => {
    const many = Array.from({ length: 400 }, (_, at) =>
      line({ ticks: at, text: `\n${"line:1 ".repeat(4000)}\nRain` }),
    );
    const film = filmOf(element(ids.tracks, picture, subtitles("D_WEBVTT/SUBTITLES")), cluster(0, ...many));
    expect(() => scriptOf(film, "vtt")).toThrow(DamagedFilm);
  });

  test("for programs is no text", () => {
    expect(() => textOf("METADATA", "\n\nRain")).toThrow(DamagedFilm);
  });
});

test("pictures are read as they lie in the film", () => {
  const film = filmOf(
    element(ids.tracks, picture, subtitles("S_HDMV/PGS")),
    cluster(0, line({ ticks: 1000, text: Uint8Array.of(1, 2, 3) })),
  );
  expect(readSubtitleLines(reader(film), { track: 3, from: null }, never)).toEqual({
    format: "pgs",
    head: "",
    lines: [{ startMs: 1000, durationMs: null, text: Buffer.of(1, 2, 3) }],
    next: null,
  });
});

test("a cluster without an end that holds nothing but text is refused before it fills the memory", () => {
  const many = Array.from({ length: 400 }, (_, at) => line({ ticks: at, text: Buffer.alloc(30_000, "a") }));
  const endless = Buffer.concat([idBytes(ids.cluster), sizeBytes(2 ** 53 - 2), ...many]);
  const whole = cluster(0, ...many);
  expect(() => scriptOf(filmOf(ass(), whole), "ass")).toThrow(DamagedFilm);
  expect(scriptOf(filmOf(ass(), endless), "ass").text).toBe(head);
});
