/** Translates codec names: Matroska's ids, the names for browsers (RFC 6381), and labels for people. */

type Codec = { codec: string | null; codecLabel: string; bitDepth?: number | null };
type TrackFacts = { codecId: string; codecPrivate: Uint8Array; widthPx?: number; heightPx?: number };

const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, "0");
const decimal = (value: number) => String(value).padStart(2, "0");

export function codecOf({ codecId, codecPrivate, widthPx = 0, heightPx = 0 }: TrackFacts): Codec {
  if (codecId === "V_MPEG4/ISO/AVC") return avc(codecPrivate);
  if (codecId === "V_MPEGH/ISO/HEVC") return hevc(codecPrivate);
  if (codecId === "V_AV1") return av1(codecPrivate);
  if (codecId === "V_VP9") return vp9(codecPrivate, widthPx * heightPx);
  if (codecId.startsWith("A_AAC")) return { codec: aac(codecId, codecPrivate), codecLabel: "AAC" };
  if (codecId === "A_MS/ACM") return { codec: null, codecLabel: soundForWindows(codecPrivate) };
  if (codecId === "V_MS/VFW/FOURCC") return { codec: null, codecLabel: videoForWindows(codecPrivate) };
  const codec = fixed.find(([id]) => codecId === id || codecId.startsWith(`${id}/`));
  return codec
    ? { codec: codec[1], codecLabel: codec[2] }
    : { codec: null, codecLabel: codecId.replace(/^[VAS]_/, "").slice(0, 40) || "an unknown codec" };
}

/** The more exact ids come first. */
const fixed: readonly (readonly [id: string, codec: string | null, label: string])[] = [
  ["V_VP8", "vp8", "VP8"],
  ["V_MPEG1", null, "MPEG-1"],
  ["V_MPEG2", null, "MPEG-2"],
  ["V_MPEG4/MS", null, "MS-MPEG-4"],
  ["V_MPEG4", null, "MPEG-4 ASP"],
  ["V_THEORA", null, "Theora"],
  ["A_AC3", "ac-3", "AC-3"],
  ["A_EAC3", "ec-3", "E-AC-3"],
  ["A_OPUS", "opus", "Opus"],
  ["A_FLAC", "flac", "FLAC"],
  ["A_MPEG/L3", "mp4a.6B", "MP3"],
  ["A_MPEG", null, "MP2"],
  ["A_VORBIS", null, "Vorbis"],
  ["A_DTS", null, "DTS"],
  ["A_TRUEHD", null, "TrueHD"],
  ["A_PCM", null, "PCM"],
  ["S_TEXT/ASS", null, "ASS"],
  ["S_TEXT/SSA", null, "SSA"],
  ["S_ASS", null, "ASS"],
  ["S_SSA", null, "SSA"],
  ["S_TEXT/UTF8", null, "SRT"],
  ["S_TEXT/WEBVTT", null, "WebVTT"],
  ["D_WEBVTT", null, "WebVTT"],
  ["S_HDMV/PGS", null, "PGS"],
  ["S_VOBSUB", null, "VobSub"],
];

/** The profile, its constraints and the level are bytes 1 to 3 of the configuration (ISO/IEC 14496-15, 5.3.3.1). */
function avc(config: Uint8Array): Codec {
  const [, profile = 0, constraints = 0, level = 0] = config;
  const codec = config.length < 7 ? null : `avc1.${hex(profile)}${hex(constraints)}${hex(level)}`;
  // High 10, High 4:2:2 and High 4:4:4.
  const canBeDeep = [110, 122, 244].includes(profile);
  return { codec, codecLabel: "H.264", bitDepth: canBeDeep ? avcBitDepth(config) : 8 };
}

/**
 * The bit depth follows the profile, the level, a number and the kind of colours, in codes of variable length (ITU-T
 * H.264, 7.3.2.1.1 and 9.1).
 */
function avcBitDepth(config: Uint8Array): number {
  const bits = [...config.subarray(12, 20)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  let at = 0;
  const readNumber = () => {
    const zeros = bits.indexOf("1", at) - at;
    if (zeros < 0) return Number.NaN;
    at += 2 * zeros + 1;
    return Number.parseInt(bits.slice(at - zeros - 1, at), 2) - 1;
  };
  readNumber();
  const hasAllColors = readNumber() === 3;
  if (hasAllColors) at++;
  const depth = 8 + readNumber();
  return depth <= 14 ? depth : 10;
}

/** The name of an HEVC codec is described in ISO/IEC 14496-15, Annex E.3. */
function hevc(config: Uint8Array): Codec {
  if (config.length < 23) return { codec: null, codecLabel: "HEVC", bitDepth: null };
  const [, first = 0] = config;
  const space = ["", "A", "B", "C"][first >> 6] ?? "";
  let compatibility = 0;
  for (let bit = 0; bit < 32; bit++)
    if (((config[2 + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1) compatibility += 2 ** bit;
  const constraints = [...config.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const parts = [
    `hvc1.${space}${first & 31}`,
    compatibility.toString(16).toUpperCase(),
    `${(first & 32) === 0 ? "L" : "H"}${config[12]}`,
    ...constraints.map((one) => one.toString(16).toUpperCase()),
  ];
  return { codec: parts.join("."), codecLabel: "HEVC", bitDepth: 8 + ((config[17] ?? 0) & 7) };
}

/** The AV1 codec configuration (AV1 in ISO base media, 2.3.3). */
function av1(config: Uint8Array): Codec {
  if (config.length < 4) return { codec: null, codecLabel: "AV1", bitDepth: null };
  const [, profileAndLevel = 0, flags = 0] = config;
  const bitDepth = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12;
  const tier = (flags & 0x80) === 0 ? "M" : "H";
  const codec = `av01.${profileAndLevel >> 5}.${decimal(profileAndLevel & 31)}${tier}.${decimal(bitDepth)}`;
  return { codec, codecLabel: "AV1", bitDepth };
}

/** Most files do not state the level, so it follows from the number of pixels. The features are pairs of id and value. */
function vp9(features: Uint8Array, pixels: number): Codec {
  const stated = new Map<number, number>();
  for (let at = 0; at + 2 < features.length; at += 2 + (features[at + 1] ?? 0))
    stated.set(features[at] ?? 0, features[at + 2] ?? 0);
  const level = stated.get(2) ?? (pixels <= 1280 * 720 ? 31 : pixels <= 2048 * 1152 ? 41 : 51);
  const bitDepth = stated.get(3) ?? 8;
  const codec = `vp09.${decimal(stated.get(1) ?? 0)}.${decimal(level)}.${decimal(bitDepth)}`;
  return { codec, codecLabel: "VP9", bitDepth };
}

/** The object type is the first five bits of the configuration; old files name it in the id instead. */
function aac(codecId: string, config: Uint8Array): string {
  const objectType = (config[0] ?? 0) >> 3;
  if (config.length >= 2 && objectType > 0 && objectType < 31) return `mp4a.40.${objectType}`;
  return codecId.endsWith("/SBR") ? "mp4a.40.5" : "mp4a.40.2";
}

/** Video for Windows: the name of the codec is in its BITMAPINFOHEADER. */
function videoForWindows(header: Uint8Array): string {
  const fourCc = String.fromCharCode(...header.subarray(16, 20)).toUpperCase();
  if (/^(?:XVID|DIVX|DX50|FMP4|MP4V)$/.test(fourCc)) return "MPEG-4 ASP";
  if (/^(?:WVC1|WMV\d)$/.test(fourCc)) return "VC-1";
  return /^[\w ]{4}$/.test(fourCc) ? fourCc.trim() : "an unknown codec";
}

/** The number of the codec is the first field of its WAVEFORMATEX. */
function soundForWindows([low = 0, high = 0]: Uint8Array): string {
  const number = low | (high << 8);
  if (number >= 0x160 && number <= 0x163) return "WMA";
  return waveLabels.get(number) ?? "an unknown codec";
}
const waveLabels: ReadonlyMap<number, string> = new Map([
  [0x01, "PCM"],
  [0x02, "ADPCM"],
  [0x11, "ADPCM"],
  [0x50, "MP2"],
  [0x55, "MP3"],
  [0xff, "AAC"],
  [0x2000, "AC-3"],
  [0x2001, "DTS"],
]);

const labels: readonly (readonly [start: RegExp, label: string])[] = [
  [/^avc/, "H.264"],
  [/^h(?:vc|ev)1/, "HEVC"],
  [/^av01/, "AV1"],
  [/^vp09/, "VP9"],
  [/^mp4a\.(?:69|6b|40\.34)/i, "MP3"],
  [/^mp4a/, "AAC"],
  [/^ac-3/, "AC-3"],
  [/^ec-3/, "E-AC-3"],
  [/^opus/i, "Opus"],
  [/^flac/i, "FLAC"],
];

/** Labels for the MP4 names of codecs that browsers do not know. */
const mp4Labels: Readonly<Record<string, string>> = {
  alac: "ALAC",
  ap4h: "ProRes",
  apch: "ProRes",
  apcn: "ProRes",
  dtsc: "DTS",
  dtse: "DTS",
  dtsh: "DTS",
  dtsl: "DTS",
  dvh1: "Dolby Vision",
  dvhe: "Dolby Vision",
  jpeg: "Motion JPEG",
  mlpa: "TrueHD",
  mp4v: "MPEG-4 ASP",
  s263: "H.263",
  samr: "AMR",
};

/** For MP4, where the file already names the codec as browsers do. `entry` is the name of the sample entry: `avc1`, `alac`. */
export function codecOfMp4(
  codec: string | null,
  entry: string | null,
): { codec: string | null; codecLabel: string; bitDepth: number | null } {
  const codecString = codec?.replace(/^hev1/, "hvc1").replace(/^mp3$/, "mp4a.6B") ?? "";
  const label = labels.find(([start]) => start.test(codecString))?.[1];
  if (label !== undefined)
    return { codec: codecString, codecLabel: label, bitDepth: bitDepthOf(codecString) };
  const other = codecString.startsWith("pcm") ? "PCM" : mp4Labels[entry ?? ""];
  return { codec: null, codecLabel: other ?? (entry?.trim() || "an unknown codec"), bitDepth: null };
}

/** The bit depth that the profile in a codec's name implies. */
function bitDepthOf(codec: string): number | null {
  if (/^avc[13]\.(?:42|4d|58|64)/i.test(codec)) return 8;
  if (/^avc[13]\.6e/i.test(codec)) return 10;
  if (/^hvc1\.[12]\./.test(codec)) return codec[5] === "1" ? 8 : 10;
  const stated = /^(?:av01\.\d+\.\w+|vp09\.\d+\.\d+)\.(\d\d)/.exec(codec)?.[1];
  return stated === undefined ? null : Number(stated);
}
