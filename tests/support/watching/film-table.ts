import type { Box } from "#tests/support/browser/measured-film.ts";
import type { BrowserName } from "#tests/support/browser/open-pages.ts";
import {
  beside,
  besidePgs,
  besideSound,
  besideVobSub,
  emptied,
  merged,
  replacedBy,
  withHole,
  withLength,
  withoutSoundHeaders,
  withPgs,
  withVobSub,
} from "#tests/support/data/changed-films.ts";
import type { MadeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms, otherFilms } from "#tests/support/data/various-films.ts";

/**
 * The films that people have, and what becomes of each in Chromium and Firefox. `watch-films.ts` plays them.
 * tests/release plays all, tests/players plays the few with `isInGate`.
 */

/** `plays`: nothing is converted. A text is what the player says instead of playing. */
type Result = "plays" | "converted" | RegExp;

export type FilmRow = {
  film: MadeFilm & { extension?: string };
  result: Result | Readonly<Record<BrowserName, Result>>;
  /** Changes the file, or lays others beside it. */
  finish?: (file: string) => void;
  /** The name of the file, and the page on which the scan must put it. Others are episodes of one title. */
  named?: { stem: string; page: string };
  isWithoutFfmpeg?: true;
  /** The size in which the picture is shown. */
  size?: string;
  /** The seconds to seek to. */
  seeks?: readonly number[];
  /** When the film ends, in seconds. */
  end?: number;
  /** After this second there is only sound, or only picture. */
  pictureEnd?: number;
  soundEnd?: number;
  /** The second at which the picture of the film begins. */
  pictureAt?: number;
  /** The second of the file that is shown and heard at a second of the film, if not the same. */
  inFile?: (seconds: number) => number;
  /** How long one repetition lasts in a film that is repeated. */
  loopSeconds?: number;
  /** The grey of the band where the picture is converted. */
  grey?: number;
  /** The band shows one field after the other unless it is deinterlaced. */
  hasFields?: true;
  /** The number of the sound that plays first, among the tones. */
  firstSound?: number;
  /** Sounds that are chosen by a part of their labels, with their numbers among the tones. */
  sounds?: Readonly<Record<string, number>>;
  subtitles?: readonly Subtitle[];
  /** The browser in which the gate plays the film. */
  isInGate?: BrowserName;
};

/** Subtitles that are shown at one second and not at another, and the box in which they lie, in hundredths of the picture. */
type Subtitle = { label: string; at: number; notAt: number; within: Box };

const inChromium = { chromium: "converted", firefox: "plays" } as const;
const inFirefox = { chromium: "plays", firefox: "converted" } as const;

const { "H.264 and AAC": usual } = matroskaFilms;
const short = { ...usual, seconds: 12 };

const srt = "1\n00:00:04,000 --> 00:00:07,000\nA line of text\n";
const vtt = "WEBVTT\n\n00:04.000 --> 00:07.000\nA line of text\n";
const ass = (font: string) => `[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,${font},40,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,3,0,2,10,10,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:04.00,0:00:07.00,Default,,0,0,0,,{\\an8}A sign above
`;

const times = { at: 5, notAt: 2 };
const atBottom = { left: 15, right: 85, top: 55, bottom: 95 };
const atTop = { left: 15, right: 85, top: 2, bottom: 25 };
const english = (within: Box): Subtitle => ({ label: "English", ...times, within });
const inEnglish = ["--language", "0:en"];

/** The red box of `discSubtitles`. */
const discBox: Subtitle = {
  label: "English",
  at: 7,
  notAt: 5,
  within: { left: 9, right: 21, top: 4, bottom: 16 },
};

/** Parts of a film in the order in which an edition plays them: from and up to which second of the file. */
type Parts = readonly (readonly [from: number, to: number])[];

/** The chapters of an ordered edition, as mkvmerge reads them. */
export const editionOf = (parts: Parts) => `<?xml version="1.0"?>
<Chapters><EditionEntry><EditionFlagDefault>1</EditionFlagDefault><EditionFlagOrdered>1</EditionFlagOrdered>
${parts
  .map(
    ([from, to], index) => `<ChapterAtom>
<ChapterTimeStart>${timeOf(from)}</ChapterTimeStart><ChapterTimeEnd>${timeOf(to)}</ChapterTimeEnd>
<ChapterDisplay><ChapterString>Part ${index + 1}</ChapterString></ChapterDisplay></ChapterAtom>`,
  )
  .join("\n")}
</EditionEntry></Chapters>`;
const timeOf = (seconds: number) => `00:00:${seconds.toFixed(3).padStart(6, "0")}`;

const inFileOf = (parts: Parts) => (seconds: number) => {
  let start = 0;
  for (const [from, to] of parts) {
    if (seconds < start + to - from) return from + seconds - start;
    start += to - from;
  }
  return parts.at(-1)?.[1] ?? seconds;
};

/** A key frame begins every two seconds, so some parts begin between two of them. One part is played twice. */
const parts: Parts = [
  [20, 26],
  [3, 11.3],
  [14, 19],
  [3, 7],
];
const ordered = {
  mkvmerge: ["--chapters", "chapters.xml"],
  texts: { "chapters.xml": editionOf(parts) },
};
const inParts = { seeks: [2, 8, 16, 21], end: 23.3, inFile: inFileOf(parts) };

const words = {
  jump: /shows nothing of this video after a jump/,
  picture: /cannot decode the picture of this video|No browser decodes the picture of this video/,
  sound: /No browser decodes the sound of this video/,
  soundHere: /This browser cannot decode the sound of this video/,
  container: /No browser opens (?:AVI|MPEG-TS|OGV) files.* with ffmpeg, it converts such videos/,
  empty: /The file of this video is empty/,
  cutOff: /The file of this video ends too early/,
  damaged: /The file of this video is damaged, or no video/,
  encrypted: /The file of this video is encrypted/,
};

/** Rows of films with these names, of which nothing but the result is to be said. */
const rowsOf = <Name extends string>(
  films: Readonly<Record<Name, FilmRow["film"]>>,
  results: Readonly<Partial<Record<NoInfer<Name>, FilmRow["result"]>>>,
) =>
  Object.fromEntries(
    Object.entries(results).map(([name, result]) => [name, { film: films[name as Name], result }]),
  ) as Record<string, FilmRow>;

export const filmTable: Readonly<Record<string, FilmRow>> = {
  // Matroska: the codecs that collections have.
  "H.264 and AAC": { film: usual, result: "plays", isInGate: "firefox" },
  ...rowsOf(matroskaFilms, {
    "H.264 of 10 bits and FLAC": inFirefox,
    "H.264 of 4:4:4": inFirefox,
    "H.264 of 4:2:2 and 10 bits": inFirefox,
    "HEVC of 4:4:4 and 10 bits": inChromium,
    "VP9 of 4:4:4": "plays",
    "MS-MPEG-4 and MP3": "converted",
    "AAC of 7.1": "plays",
    "HEVC and AAC": inChromium,
    "HEVC of 10 bits and AAC": inChromium,
    "AV1 and Opus": "plays",
    "VP9 and Opus": "plays",
    "MPEG-2 and AC-3": "converted",
    "MPEG-4 ASP and MP3": "converted",
    "AAC of 5.1": "plays",
    "FLAC of 24 bits": "plays",
    "FLAC of 96 kHz": inFirefox,
    "FLAC of 5.1": "plays",
    "Opus of 5.1": "plays",
    Vorbis: "converted",
    "AC-3 of 5.1": "converted",
    "E-AC-3 of 5.1": "converted",
    "DTS of 5.1": "converted",
    MP3: "converted",
    PCM: "converted",
    "PCM of 24 bits": "converted",
  }),
  "several packets of AAC in a block": { film: matroskaFilms["AAC by mkvmerge"], result: "plays" },
  "several packets of Opus in a block": { film: matroskaFilms["Opus by mkvmerge"], result: "plays" },
  "several packets of DTS in a block": { film: matroskaFilms["DTS by mkvmerge"], result: "converted" },
  "no sound": { film: { ...usual, sounds: [] }, result: "plays" },

  // Groups of pictures and rates.
  "open groups of H.264": {
    film: matroskaFilms["open groups of H.264"],
    result: inChromium,
    isInGate: "chromium",
  },
  ...rowsOf(matroskaFilms, {
    "open groups of HEVC": inChromium,
    "many B-frames": "plays",
    "a variable frame rate": "plays",
  }),
  "one group of pictures of ten minutes": {
    film: matroskaFilms["one group of pictures of ten minutes"],
    result: "plays",
    seeks: [300, 500],
  },
  "three hours": {
    film: matroskaFilms["three hours"],
    result: "plays",
    loopSeconds: 30.016,
    seeks: [5410, 10_790],
  },

  // Ends and lengths.
  ...rowsOf(matroskaFilms, {
    "sound that begins late": "plays",
    "AAC of 5.1 that begins late": "plays",
    "Opus of 5.1 that begins late": "plays",
    "FLAC that begins late": "plays",
  }),
  "a last packet of sound at the end of a segment": {
    film: matroskaFilms["a last packet of sound at the end of a segment"],
    result: "plays",
    seeks: [30],
    end: 60,
  },
  "sound longer than the picture": {
    film: { ...usual, seconds: 20, soundSeconds: 30 },
    result: "plays",
    seeks: [10],
    end: 30,
    pictureEnd: 20,
    isInGate: "chromium",
  },
  "a picture longer than the sound": {
    film: { ...usual, soundSeconds: 20 },
    result: "plays",
    seeks: [10],
    end: 30,
    soundEnd: 20,
  },
  "converted sound longer than the picture": {
    film: { ...matroskaFilms["AC-3 of 5.1"], seconds: 20, soundSeconds: 30 },
    result: "converted",
    seeks: [10],
    end: 30,
    pictureEnd: 20,
  },
  "a picture that begins later than the sound": {
    film: {
      ...usual,
      remux: ["-itsoffset", "3", "-i", "encoded.mkv", "-map", "1:v", "-map", "0:a", "-c", "copy"],
      mkvmerge: [...inEnglish, "lines.srt"],
      texts: { "lines.srt": srt },
    },
    result: "plays",
    pictureAt: 3,
    end: 33,
    soundEnd: 30,
    subtitles: [english(atBottom)],
  },
  "a cover before the picture in an MP4": {
    film: {
      ...otherFilms["MP4 of H.264 and AAC"],
      extension: "mp4",
      remux: [
        ...["-f", "lavfi", "-i", "color=red:s=300x400:r=25:d=0.04"],
        ...["-map", "1:v", "-map", "0", "-c", "copy", "-c:v:0", "mjpeg"],
      ],
    },
    result: "plays",
    end: 30,
  },
  "times that begin at five seconds": {
    film: { ...usual, other: ["-output_ts_offset", "5"] },
    result: "plays",
    end: 30,
  },
  "a head that gives twice the length": {
    film: usual,
    finish: withLength(2),
    result: "plays",
    end: 30,
  },
  "a head that gives half the length": { film: usual, finish: withLength(0.5), result: "plays", end: 30 },
  "no index": { film: matroskaFilms["no index"], result: "plays", end: 30 },
  "no index, and a head that gives twice the length": {
    film: matroskaFilms["no index"],
    finish: withLength(2),
    result: "plays",
    end: 30,
    isInGate: "chromium",
  },

  // Ordered chapters.
  "ordered chapters of H.264 and AAC": {
    film: { ...usual, ...ordered },
    result: "plays",
    isInGate: "chromium",
    ...inParts,
  },
  "ordered chapters of H.264 and FLAC": {
    film: { ...usual, sounds: matroskaFilms["FLAC of 24 bits"].sounds, ...ordered },
    result: "plays",
    ...inParts,
  },
  "ordered chapters of many B-frames": {
    film: { ...matroskaFilms["many B-frames"], ...ordered },
    result: "plays",
    ...inParts,
  },
  "ordered chapters of open groups": {
    film: { ...matroskaFilms["open groups of H.264"], ...ordered },
    result: inChromium,
    ...inParts,
  },
  "ordered chapters of HEVC": {
    film: { ...matroskaFilms["HEVC and AAC"], ...ordered },
    result: inChromium,
    ...inParts,
  },
  "ordered chapters, all converted": {
    film: { ...matroskaFilms["MPEG-2 and AC-3"], ...ordered },
    result: "converted",
    ...inParts,
  },
  "ordered chapters with subtitles": {
    film: {
      ...usual,
      mkvmerge: [...ordered.mkvmerge, ...inEnglish, "lines.srt"],
      texts: { ...ordered.texts, "lines.srt": srt },
    },
    result: "plays",
    subtitles: [{ label: "English", at: 8.5, notAt: 2, within: atBottom }],
    ...inParts,
  },

  // The picture as it was meant.
  HDR10: {
    film: matroskaFilms.HDR10,
    result: inChromium,
    size: "320x180",
    seeks: [6],
    grey: 0xb7,
    isInGate: "chromium",
  },
  HLG: { film: matroskaFilms.HLG, result: inChromium, size: "320x180", seeks: [6], grey: 0xb7 },
  "an interlaced DVD": {
    film: matroskaFilms["an interlaced DVD"],
    result: "converted",
    size: "853x480",
    seeks: [6],
    hasFields: true,
    isInGate: "chromium",
  },
  "interlaced without a mark": {
    film: matroskaFilms["interlaced without a mark"],
    result: "converted",
    size: "853x480",
    seeks: [6],
    hasFields: true,
  },
  "H.264 with pixels that are not square": {
    film: { ...usual, size: "720x480", other: ["-aspect", "16:9"] },
    result: "plays",
    size: "853x480",
  },
  "HEVC with pixels that are not square": {
    film: { ...matroskaFilms["HEVC of 10 bits and AAC"], size: "720x576", other: ["-aspect", "4:3"] },
    result: inChromium,
    size: "768x576",
  },
  "MP4 with pixels that are not square": {
    film: { ...otherFilms["MP4 of H.264 and AAC"], size: "720x480", other: ["-aspect", "16:9"] },
    result: "plays",
    size: "853x480",
  },

  // MP4, MOV, WebM.
  ...rowsOf(otherFilms, {
    "MP4 of H.264 and AAC": "plays",
    "MP4 of HEVC of 10 bits and AC-3": "converted",
    "MOV of H.264 of 10 bits and ALAC": "converted",
    "MP4 of H.264 and MP3": "plays",
    "MP4 of AV1 and Opus": "plays",
    "M4V with open groups, and AAC": inChromium,
    "MOV of H.264 and PCM": "converted",
    "WebM with VP8": "plays",
    "WebM with AV1 and Opus": "plays",
  }),
  "MP4 of MPEG-4 ASP and E-AC-3, in fragments": {
    film: otherFilms["MP4 of MPEG-4 ASP and E-AC-3, in fragments"],
    result: "converted",
    isInGate: "chromium",
  },
  "WebM with Vorbis": { film: otherFilms["WebM with Vorbis"], result: "plays" },

  // Containers that only ffmpeg reads.
  "AVI of MPEG-4 ASP and MP3": { film: otherFilms.AVI, result: "converted", isInGate: "chromium" },
  "AVI of H.264 and AC-3": {
    film: { ...usual, extension: "avi", sounds: [{ codec: "ac3" }] },
    result: "converted",
  },
  "a transport stream of H.264 and AAC": { film: otherFilms["a transport stream"], result: "plays" },
  "a transport stream of H.264 and AC-3": {
    film: { ...usual, extension: "ts", sounds: [{ codec: "ac3", channels: 6 }] },
    result: "converted",
  },
  "M2TS of HEVC and E-AC-3": {
    film: {
      ...matroskaFilms["HEVC and AAC"],
      extension: "m2ts",
      sounds: [{ codec: "eac3" }],
      other: ["-mpegts_m2ts_mode", "1"],
    },
    result: "converted",
  },
  "WMV of WMV2 and WMA": {
    film: { extension: "wmv", picture: ["-c:v", "wmv2", "-b:v", "2M"], sounds: [{ codec: "wmav2" }] },
    result: "converted",
  },
  "MPEG-PS of MPEG-1 and MP2": {
    film: {
      extension: "mpg",
      picture: ["-c:v", "mpeg1video", "-b:v", "2M"],
      sounds: [{ codec: "mp2" }],
      other: ["-f", "mpeg"],
    },
    result: "converted",
  },
  "MPEG-PS of 4:3": {
    film: {
      ...matroskaFilms["MPEG-2 and AC-3"],
      extension: "mpg",
      size: "720x576",
      other: ["-aspect", "4:3", "-f", "mpeg"],
    },
    result: "converted",
    size: "768x576",
  },
  "VOB of MPEG-2 and AC-3": {
    film: { ...matroskaFilms["MPEG-2 and AC-3"], extension: "vob", other: ["-f", "vob"] },
    result: "converted",
  },
  "OGV of Theora and Vorbis": { film: otherFilms.OGV, result: "converted" },
  "an AVI that is called MKV": {
    film: { ...otherFilms.AVI, extension: "mkv", other: ["-f", "avi"] },
    result: "converted",
  },
  "FLV that is called AVI": {
    film: { ...usual, extension: "avi", other: ["-f", "flv"] },
    result: /No browser opens FLV files. This site does not convert them either/,
  },

  // Sounds to choose from.
  "two sounds": {
    film: {
      ...usual,
      sounds: [
        { codec: "aac", language: "eng" },
        { codec: "libopus", language: "jpn" },
      ],
    },
    result: "plays",
    firstSound: 1,
    sounds: { English: 0, Japanese: 1 },
  },
  "MP4 with open groups, and two sounds": {
    film: otherFilms["MP4 with open groups, and two sounds"],
    result: inChromium,
    firstSound: 1,
    sounds: { Sound: 0, Japanese: 1 },
  },

  "sounds beside the film": {
    film: usual,
    finish: (file) => {
      besideSound(".fr.mka", 1, "-c:a", "libopus")(file);
      besideSound(".de.mka", 2, "-c:a", "ac3")(file);
      besideSound(".es.m4a", 3, "-c:a", "aac")(file);
    },
    result: "plays",
    sounds: { French: 1, German: 2, Spanish: 3 },
    isInGate: "chromium",
  },

  // Subtitles.
  "SubRip in Matroska": {
    film: { ...short, mkvmerge: [...inEnglish, "lines.srt"], texts: { "lines.srt": srt } },
    result: "plays",
    subtitles: [english(atBottom)],
  },
  "WebVTT in Matroska": {
    film: { ...short, mkvmerge: [...inEnglish, "lines.vtt"], texts: { "lines.vtt": vtt } },
    result: "plays",
    subtitles: [english(atBottom)],
  },
  "WebVTT in Matroska with a place": {
    film: {
      ...short,
      mkvmerge: [...inEnglish, "lines.vtt"],
      texts: { "lines.vtt": vtt.replace("00:07.000", "00:07.000 line:5% size:60%") },
    },
    result: "plays",
    subtitles: [english(atTop)],
  },
  "WebVTT in WebM": {
    film: {
      ...otherFilms["WebM with Vorbis"],
      seconds: 12,
      remux: [
        ...["-i", "lines.vtt", "-map", "0", "-map", "1", "-c", "copy", "-c:s", "webvtt"],
        ...["-metadata:s:s:0", "language=eng"],
      ],
      texts: { "lines.vtt": vtt },
    },
    result: "plays",
    subtitles: [english(atBottom)],
  },
  "timed text in MP4": {
    film: {
      ...otherFilms["MP4 of H.264 and AAC"],
      seconds: 12,
      remux: [
        ...["-i", "lines.srt", "-map", "0", "-map", "1", "-c", "copy", "-c:s", "mov_text"],
        ...["-metadata:s:s:0", "language=eng"],
      ],
      texts: { "lines.srt": srt },
    },
    result: "plays",
    subtitles: [english(atBottom)],
  },
  "ASS with its font": {
    film: short,
    finish: (file) => {
      const script = file.replace(/\.mkv$/, ".script");
      beside(".script", ass("M PLUS 1p ExtraBold"))(file);
      merged(...inEnglish, script, "--attach-file", "public/fonts/MPLUS1p-ExtraBold.ttf")(file);
    },
    result: "plays",
    subtitles: [english(atTop)],
  },
  "ASS without its font": {
    film: { ...short, mkvmerge: [...inEnglish, "lines.ass"], texts: { "lines.ass": ass("Some Font") } },
    result: "plays",
    subtitles: [english(atTop)],
  },
  "SubRip beside the film": {
    film: short,
    finish: beside(".en.srt", srt),
    result: "plays",
    subtitles: [english(atBottom)],
  },
  "ASS beside the film": {
    film: short,
    finish: beside(".en.ass", ass("Arial")),
    result: "plays",
    subtitles: [english(atTop)],
  },
  "PGS of a Blu-ray disc": {
    film: short,
    finish: withPgs,
    result: "plays",
    subtitles: [discBox],
    isInGate: "chromium",
  },
  "VobSub of a DVD": {
    film: short,
    finish: withVobSub,
    result: "plays",
    subtitles: [{ ...discBox, notAt: 1 }],
  },
  "PGS beside the film": {
    film: short,
    finish: besidePgs,
    result: "plays",
    subtitles: [discBox],
  },
  "VobSub beside the film": {
    film: short,
    finish: besideVobSub,
    result: "plays",
    subtitles: [{ ...discBox, notAt: 1 }],
  },

  // Damage.
  "a file that breaks off": {
    film: matroskaFilms["a file that breaks off"],
    result: "plays",
    seeks: [8, 15],
  },
  "a hole in the middle": { film: usual, finish: withHole(0.4, 0.45), result: "plays", seeks: [4, 26] },
  "an empty file": { film: short, finish: emptied, result: words.empty, isInGate: "chromium" },
  "a text that is called MKV": {
    film: short,
    finish: replacedBy("This is no film.\n".repeat(1000)),
    result: words.damaged,
  },
  "an MP4 that ends before its index": {
    film: { ...otherFilms["MP4 of H.264 and AAC"], seconds: 12, extension: "mp4", share: 0.5 },
    result: words.cutOff,
  },
  "an encrypted MP4": {
    film: {
      ...otherFilms["MP4 of H.264 and AAC"],
      seconds: 12,
      extension: "mp4",
      remux: [
        ...["-c", "copy", "-encryption_scheme", "cenc-aes-ctr"],
        ...["-encryption_key", "0".repeat(32), "-encryption_kid", "1".repeat(32)],
      ],
    },
    result: words.encrypted,
  },
  "zeros that are called MP4": {
    film: { ...short, extension: "mp4" },
    finish: replacedBy(Buffer.alloc(100_000)),
    result: words.damaged,
  },

  // Names, each in its own form.
  ...Object.fromEntries(
    (
      [
        ["[SubsPlease] Cowboy Bebop - 05 (1080p) [ABCD1234]", "/watch/1/5"],
        ["Cowboy.Bebop.S01E07.1080p.BluRay.x264-GROUP", "/watch/1/7"],
        ["[Moozzi2] Cowboy Bebop - 09 (BD 1920x1080 x.264 Flac)", "/watch/1/9"],
        ["[VCB-Studio] Cowboy Bebop [11][Ma10p_1080p][x265_flac]", "/watch/1/11"],
        ["【Cowboy Bebop】第13話", "/watch/1/13"],
      ] as const
    ).map(([stem, page]) => [stem, { film: short, named: { stem, page }, result: "plays" as const }]),
  ),

  // A site without ffmpeg.
  "without ffmpeg: HEVC of 10 bits": {
    film: matroskaFilms["HEVC of 10 bits and AAC"],
    isWithoutFfmpeg: true,
    result: { chromium: words.picture, firefox: "plays" },
  },
  "without ffmpeg: H.264 of 10 bits": {
    film: matroskaFilms["H.264 of 10 bits and FLAC"],
    isWithoutFfmpeg: true,
    result: { chromium: "plays", firefox: words.picture },
  },
  "without ffmpeg: AC-3 of 5.1": {
    film: matroskaFilms["AC-3 of 5.1"],
    isWithoutFfmpeg: true,
    result: "converted",
  },
  "without ffmpeg: AC-3 of 5.1 with removed headers": {
    film: matroskaFilms["AC-3 of 5.1"],
    finish: withoutSoundHeaders,
    isWithoutFfmpeg: true,
    result: "converted",
  },
  "without ffmpeg: open groups of H.264": {
    film: matroskaFilms["open groups of H.264"],
    isWithoutFfmpeg: true,
    result: { chromium: words.jump, firefox: "plays" },
  },
  "without ffmpeg: MPEG-2": {
    film: matroskaFilms["MPEG-2 and AC-3"],
    isWithoutFfmpeg: true,
    result: words.picture,
    isInGate: "chromium",
  },
  "without ffmpeg: MPEG-4 ASP": {
    film: matroskaFilms["MPEG-4 ASP and MP3"],
    isWithoutFfmpeg: true,
    result: words.picture,
  },
  "without ffmpeg: MP3 in Matroska": {
    film: matroskaFilms.MP3,
    isWithoutFfmpeg: true,
    result: { chromium: "plays", firefox: words.soundHere },
  },
  "without ffmpeg: Vorbis": { film: matroskaFilms.Vorbis, isWithoutFfmpeg: true, result: words.sound },
  "without ffmpeg: DTS of 5.1": {
    film: matroskaFilms["DTS of 5.1"],
    isWithoutFfmpeg: true,
    result: words.sound,
  },
  "without ffmpeg: PCM": {
    film: matroskaFilms["PCM by mkvmerge"],
    isWithoutFfmpeg: true,
    result: words.sound,
  },
  "without ffmpeg: WebM with Vorbis": {
    film: otherFilms["WebM with Vorbis"],
    isWithoutFfmpeg: true,
    result: "plays",
  },
  ...Object.fromEntries(
    (["a transport stream", "OGV", "AVI"] as const).map((name) => [
      `without ffmpeg: ${name}`,
      { film: otherFilms[name], isWithoutFfmpeg: true as const, result: words.container },
    ]),
  ),
};
