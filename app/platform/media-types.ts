/**
 * Media types by file extension, for the server's own files, the operator's films and the video proxy. These are Maps,
 * because an object would return its own `constructor` for a file called `x.constructor`.
 */

type FilmFormat = {
  /** The type of the episode's source. `file`: the page tries other ways if the browser does not play it. */
  source: "mp4" | "webm" | "file";
  /** The media type that files and proxied addresses of this name are sent with. */
  type?: string;
  /** The site can tell a whole film from one that is still being copied. */
  hasKnownEnd?: boolean;
};

/** The formats of films that the site reads, by extension. All other lists of film extensions derive from this one. */
export const filmFormats: ReadonlyMap<string, FilmFormat> = new Map(
  Object.entries<FilmFormat>({
    asf: { source: "file" },
    avi: { source: "file", type: "video/x-msvideo" },
    divx: { source: "file" },
    m2ts: { source: "file", type: "video/mp2t" },
    m2t: { source: "file", type: "video/mp2t" },
    m4v: { source: "mp4", type: "video/mp4", hasKnownEnd: true },
    mk3d: { source: "file", type: "video/x-matroska", hasKnownEnd: true },
    mkv: { source: "file", type: "video/x-matroska", hasKnownEnd: true },
    mov: { source: "file", type: "video/quicktime", hasKnownEnd: true },
    mp4: { source: "mp4", type: "video/mp4", hasKnownEnd: true },
    mpe: { source: "file" },
    mpeg: { source: "file" },
    mpg: { source: "file" },
    mts: { source: "file", type: "video/mp2t" },
    ogv: { source: "file", type: "video/ogg" },
    tp: { source: "file", type: "video/mp2t" },
    trp: { source: "file", type: "video/mp2t" },
    ts: { source: "file", type: "video/mp2t" },
    vob: { source: "file" },
    webm: { source: "webm", type: "video/webm", hasKnownEnd: true },
    wmv: { source: "file" },
  }),
);

/** Video formats that the site does not play, so a scan passes over them. */
export const unplayedExtensions: ReadonlySet<string> = new Set([
  "3gp",
  "f4v",
  "flv",
  "m2v",
  "ogm",
  "rm",
  "rmvb",
  "wtv",
]);

/** Sound, video and subtitles: the only types that the video proxy derives from a file name. */
export const playableTypes: ReadonlyMap<string, string> = new Map([
  ...[...filmFormats].flatMap(([extension, { type }]) => (type ? [[extension, type] as const] : [])),
  ["aac", "audio/aac"],
  ["ac3", "audio/ac3"],
  ["ec3", "audio/eac3"],
  ["flac", "audio/flac"],
  ["m4a", "audio/mp4"],
  ["m4s", "video/iso.segment"],
  ["mp3", "audio/mpeg"],
  ["oga", "audio/ogg"],
  ["ogg", "audio/ogg"],
  ["opus", "audio/ogg"],
  ["vtt", "text/vtt"],
  ["wav", "audio/wav"],
]);

export const pictureTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jpeg: "image/jpeg",
    jpg: "image/jpeg",
    png: "image/png",
    webp: "image/webp",
  }),
);

export const playlistType = "application/vnd.apple.mpegurl";
export const playlistTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({ m3u: playlistType, m3u8: playlistType }),
);

export const unknownType = "application/octet-stream";

export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

export const isPlaylistPath = (path: string) => playlistTypes.has(extensionOf(path));
