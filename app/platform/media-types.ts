/**
 * Media types by file extension, for the server's own files, the operator's films and the video proxy. These are Maps,
 * because an object would return its own `constructor` for a file called `x.constructor`.
 */

/** Sound, video and subtitles: the only types that the video proxy derives from a file name. */
export const playableTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    aac: "audio/aac",
    ac3: "audio/ac3",
    avi: "video/x-msvideo",
    ec3: "audio/eac3",
    flac: "audio/flac",
    m2ts: "video/mp2t",
    m4a: "audio/mp4",
    m4s: "video/iso.segment",
    m4v: "video/mp4",
    mkv: "video/x-matroska",
    mov: "video/quicktime",
    mp3: "audio/mpeg",
    mp4: "video/mp4",
    mts: "video/mp2t",
    oga: "audio/ogg",
    ogg: "audio/ogg",
    ogv: "video/ogg",
    opus: "audio/ogg",
    ts: "video/mp2t",
    vtt: "text/vtt",
    wav: "audio/wav",
    webm: "video/webm",
  }),
);

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
