import { bandShare, barsShare, type MadeFilm } from "#tests/support/data/made-films.ts";

/** Films with the codecs, containers and muxer settings that real collections have. */

const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"];
const openH264 = [...h264, "-x264-params", "open-gop=1:bframes=3:b-pyramid=normal:scenecut=0"];
const hevc = (...options: string[]) => [
  ...["-c:v", "libx265", "-preset", "ultrafast"],
  ...["-x265-params", ["log-level=error", "bframes=3", ...options].join(":")],
];
const mpeg4 = ["-c:v", "mpeg4", "-vtag", "XVID", "-bf", "2"];
const deep = ["-pix_fmt", "yuv420p10le"];
const av1 = ["-c:v", "libsvtav1", "-preset", "12"];
const vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"];

const sound = (codec: string, channels: 2 | 6 = 2) => [{ codec, channels }];
const aac = sound("aac");
const flacOf24Bits = [{ codec: "flac", options: ["-sample_fmt", "s32"] }];
/** mkvmerge puts several packets of sound into one block. */
const merged = { mkvmerge: [] };

/** Repeats each of these rates four times. */
const rates = (...some: number[]) => Array.from({ length: 4 }, () => some).flat();

/** The band below the bars. */
const band = `y=ih*${barsShare}:h=ih*${bandShare}`;

/** HDR with 100 nits as its white. The band is grey, 0xbfbfbf. */
const hdr = (transfer: "smpte2084" | "arib-std-b67") => ({
  filter: [
    `drawbox=${band}:color=0xbfbfbf:t=fill`,
    "scale=out_color_matrix=bt709:out_range=tv,format=yuv444p",
    "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv",
    "zscale=t=linear:npl=100,format=gbrpf32le",
    `zscale=p=bt2020:t=${transfer}:m=bt2020nc:r=tv:npl=100`,
  ].join(","),
  picture: [
    ...hevc(`colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`),
    ...["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"],
    ...deep,
  ],
  sounds: aac,
  seconds: 12,
});

/** In the lower half, stripes move sideways; half of the lines of each frame are 1/48 of a second later than the others. */
const isMoving = `between(Y/H\\,0.45\\,${barsShare + bandShare})`;
const moving = (stripes: string, plane: string) => `'if(${isMoving}\\,${stripes}\\,${plane}(X\\,Y))'`;
const movingFields = [
  "fps=48",
  `geq=lum=${moving("235*lt(mod(X-240*T\\,80)\\,40)", "lum")}:cb=${moving("128", "cb")}:cr=${moving("128", "cr")}`,
  "tinterlace=interleave_top",
].join(",");
const dvd = {
  size: "720x480",
  seconds: 12,
  picture: ["-c:v", "mpeg2video", "-b:v", "6M", "-aspect", "16:9"],
  sounds: sound("ac3"),
};

export const matroskaFilms = {
  "H.264 and AAC": { picture: h264, sounds: aac },
  "a last packet of sound at the end of a segment": { seconds: 60, picture: h264, sounds: aac },
  "H.264 of 10 bits and FLAC": { picture: [...h264, ...deep], sounds: sound("flac") },
  "H.264 of 4:4:4": { picture: [...h264, "-pix_fmt", "yuv444p"], sounds: aac },
  "H.264 of 4:2:2 and 10 bits": { picture: [...h264, "-pix_fmt", "yuv422p10le"], sounds: aac },
  "HEVC and AAC": { picture: hevc("open-gop=0"), sounds: aac },
  "HEVC of 10 bits and AAC": { picture: [...hevc(), ...deep], sounds: aac },
  "HEVC of 4:4:4 and 10 bits": { picture: [...hevc(), "-pix_fmt", "yuv444p10le"], sounds: aac },
  "AV1 and Opus": { picture: av1, sounds: sound("libopus") },
  "VP9 and Opus": { picture: vp9, sounds: sound("libopus") },
  "VP9 of 4:4:4": { picture: [...vp9, "-pix_fmt", "yuv444p"], sounds: sound("libopus") },
  "MPEG-2 and AC-3": { picture: ["-c:v", "mpeg2video", "-bf", "2"], sounds: sound("ac3") },
  "MPEG-4 ASP and MP3": { picture: mpeg4, sounds: sound("libmp3lame") },
  "MS-MPEG-4 and MP3": { picture: ["-c:v", "msmpeg4", "-b:v", "2M"], sounds: sound("libmp3lame") },
  "AAC of 5.1": { picture: h264, sounds: sound("aac", 6) },
  "AAC of 7.1": { picture: h264, sounds: [{ codec: "aac", options: ["-ac:a", "8"] }] },
  "FLAC of 24 bits": { picture: h264, sounds: flacOf24Bits },
  "FLAC of 96 kHz": {
    picture: h264,
    sounds: [{ codec: "flac", options: ["-ar:a", "96000", "-sample_fmt", "s32"] }],
  },
  "FLAC of 5.1": { picture: h264, sounds: sound("flac", 6) },
  "Opus of 5.1": { picture: h264, sounds: sound("libopus", 6) },
  Vorbis: { picture: h264, sounds: sound("libvorbis") },
  "AC-3": { picture: h264, sounds: sound("ac3") },
  "AC-3 of 5.1": { picture: h264, sounds: sound("ac3", 6) },
  "E-AC-3 of 5.1": { picture: h264, sounds: sound("eac3", 6) },
  DTS: { picture: h264, sounds: sound("dca") },
  "DTS of 5.1": { picture: h264, sounds: sound("dca", 6) },
  MP3: { picture: h264, sounds: sound("libmp3lame") },
  PCM: { picture: h264, sounds: sound("pcm_s16le") },
  "PCM of 24 bits": { picture: h264, sounds: sound("pcm_s24le") },
  "AAC by mkvmerge": { picture: h264, sounds: aac, ...merged },
  "HEVC and FLAC by mkvmerge": { picture: [...hevc(), ...deep], sounds: flacOf24Bits, ...merged },
  "AC-3 of 5.1 by mkvmerge": { picture: h264, sounds: sound("ac3", 6), ...merged },
  "E-AC-3 by mkvmerge": { picture: h264, sounds: sound("eac3"), ...merged },
  "DTS by mkvmerge": { picture: h264, sounds: sound("dca"), ...merged },
  "MP3 by mkvmerge": { picture: h264, sounds: sound("libmp3lame"), ...merged },
  "Opus by mkvmerge": { picture: h264, sounds: sound("libopus"), ...merged },
  "Vorbis by mkvmerge": { picture: h264, sounds: sound("libvorbis"), ...merged },
  "PCM by mkvmerge": { picture: h264, sounds: sound("pcm_s16le"), ...merged },
  "MPEG-4 ASP by mkvmerge": { picture: mpeg4, sounds: sound("libmp3lame"), ...merged },
  "open groups of H.264": {
    picture: openH264,
    sounds: aac,
  },
  "open groups of HEVC": { picture: hevc("open-gop=1", "keyint=48", "min-keyint=48"), sounds: aac },
  "many B-frames": { picture: [...h264, "-bf", "8", "-x264-params", "b-pyramid=normal:ref=4"], sounds: aac },
  "a variable frame rate": {
    picture: [...h264, "-fps_mode", "vfr"],
    filter: `select='lt(mod(t\\,3)\\,0.1)+lt(t\\,9)+not(mod(n\\,5))'`,
    sounds: aac,
  },
  "rates of 23.976, 29.97 and 60 by turns": {
    picture: h264,
    sounds: aac,
    rates: rates(24_000 / 1001, 30_000 / 1001, 60),
    seconds: 12,
  },
  "HEVC with rates of 60 and 23.976 by turns": {
    picture: [...hevc(), ...deep],
    sounds: sound("ac3"),
    rates: rates(60, 24_000 / 1001),
    seconds: 12,
  },
  "sound that begins late": { picture: h264, sounds: aac, soundAt: 6 },
  "AAC of 5.1 that begins late": { picture: h264, sounds: sound("aac", 6), soundAt: 6 },
  "Opus of 5.1 that begins late": { picture: h264, sounds: sound("libopus", 6), soundAt: 6 },
  "FLAC that begins late": { picture: h264, sounds: flacOf24Bits, soundAt: 6 },
  "no index": { picture: h264, sounds: aac, mkvmerge: ["--no-cues"] },
  "one group of pictures of ten minutes": {
    picture: [...h264, "-g", "100000", "-keyint_min", "100000", "-sc_threshold", "0"],
    sounds: aac,
    seconds: 600,
    framesPerSecond: 5,
  },
  "three hours": { picture: h264, sounds: aac, times: 360 },
  HDR10: hdr("smpte2084"),
  HLG: hdr("arib-std-b67"),
  "an interlaced DVD": {
    ...dvd,
    filter: movingFields,
    picture: [...dvd.picture, "-flags", "+ildct+ilme", "-top", "1"],
  },
  "interlaced without a mark": { ...dvd, filter: movingFields },
  "a file that breaks off": { picture: h264, sounds: aac, share: 0.7 },
} satisfies Record<string, MadeFilm>;

export const otherFilms = {
  "a transport stream": { extension: "ts", picture: h264, sounds: aac },
  OGV: { extension: "ogv", picture: ["-c:v", "libtheora", "-q:v", "5"], sounds: sound("libvorbis") },
  AVI: { extension: "avi", picture: mpeg4, sounds: sound("libmp3lame") },
  "WebM with Vorbis": { extension: "webm", picture: vp9, sounds: sound("libvorbis") },
  "WebM with VP8": {
    extension: "webm",
    picture: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"],
    sounds: sound("libvorbis"),
  },
  "WebM with AV1 and Opus": { extension: "webm", picture: av1, sounds: sound("libopus") },
  "MP4 of H.264 and AAC": { extension: "mp4", picture: h264, sounds: aac },
  "MP4 of HEVC of 10 bits and AC-3": {
    extension: "mp4",
    picture: [...hevc(), ...deep],
    sounds: sound("ac3", 6),
    other: ["-movflags", "+faststart"],
  },
  "MOV of H.264 of 10 bits and ALAC": {
    extension: "mov",
    picture: [...h264, ...deep],
    sounds: sound("alac"),
  },
  "MP4 of MPEG-4 ASP and E-AC-3, in fragments": {
    extension: "mp4",
    picture: ["-c:v", "mpeg4", "-bf", "2"],
    sounds: sound("eac3"),
    other: ["-movflags", "frag_keyframe+delay_moov"],
  },
  "MP4 of H.264 and MP3": { extension: "mp4", picture: h264, sounds: sound("libmp3lame") },
  "MP4 of AV1 and Opus": { extension: "mp4", picture: av1, sounds: sound("libopus") },
  "M4V with open groups, and AAC": { extension: "m4v", picture: openH264, sounds: aac },
  "MP4 with open groups, and two sounds": {
    extension: "mp4",
    picture: openH264,
    sounds: [...aac, { codec: "aac", language: "jpn" }],
  },
  "MOV of H.264 and PCM": { extension: "mov", picture: h264, sounds: sound("pcm_s16le") },
} satisfies Record<string, MadeFilm & { extension: string }>;

// The decoder must keep the largest number of pictures that the format permits.
const manyPictures =
  "log-level=error:bframes=8:b-adapt=0:rc-lookahead=20:ref=5:keyint=144:min-keyint=144:scenecut=0";

/** An HEVC film with 1080 lines and 10 bits. Converting it takes much memory. */
export const deepFilm: MadeFilm = {
  size: "1920x1080",
  filter: "noise=alls=20:allf=t",
  seconds: 18,
  picture: [
    "-c:v",
    "libx265",
    "-preset",
    "ultrafast",
    "-x265-params",
    manyPictures,
    "-pix_fmt",
    "yuv420p10le",
  ],
  sounds: [{ codec: "aac" }],
};
