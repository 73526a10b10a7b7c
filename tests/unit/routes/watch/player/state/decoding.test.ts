import { expect, onTestFinished, test, vi } from "vitest";
import { unreadableOf } from "#app/domain/films/films.ts";
import type { FilmContents } from "#app/domain/playback/offers/playable-episode.ts";
import {
  addressesToTry,
  decodableUrl,
  decodesHere,
  undecodableText,
  unreadableText,
} from "#app/routes/watch/player/state/decoding.ts";

const hevc = { codec: "hvc1.2.4.L120.90", codecLabel: "HEVC", isConvertible: false };
const avc = { codec: "avc1.640028", codecLabel: "H.264", isConvertible: false };
const sound = (codec: string | null, codecLabel: string): FilmContents["sounds"][number] => ({
  number: codec === null ? 9 : codec.length,
  codec,
  codecLabel,
  language: null,
  isConvertible: false,
});
const convertible = <Track extends object>(track: Track) => ({ ...track, isConvertible: true });
const aac = sound("mp4a.40.2", "AAC");
const decodes = (_kind: string, codec: string, hasOpenGroups = false) =>
  /^(?:avc1|mp4a)/.test(codec) && !hasOpenGroups;

test("a film plays if the browser decodes its picture and one of its sound tracks", () => {
  expect(undecodableText({ picture: avc, sounds: [sound("ac-3", "AC-3"), aac] }, decodes)).toBeNull();
  expect(undecodableText({ picture: avc, sounds: [] }, decodes)).toBeNull();
});

test("MP3 plays, although browsers do not know its name in MP4", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const known = new Set(['video/mp4; codecs="avc1.640028"']);
  vi.stubGlobal("MediaSource", { isTypeSupported: (type: string) => known.has(type) });
  vi.stubGlobal("navigator", { userAgent: "Chrome/1" });
  const mp3 = sound("mp4a.6B", "MP3");
  expect(undecodableText({ picture: avc, sounds: [mp3] }, decodesHere)).toBeNull();
  expect(undecodableText({ picture: avc, sounds: [sound("mp4a.40.2", "AAC")] }, decodesHere)).toContain(
    "AAC",
  );
  expect(decodesHere("video", "avc1.640028", true)).toBe(false);
  vi.stubGlobal("navigator", { userAgent: "Firefox/1" });
  expect(undecodableText({ picture: avc, sounds: [mp3] }, decodesHere)).toBeNull();
  expect(undecodableText({ isMatroska: true, picture: avc, sounds: [mp3] }, decodesHere)).toContain("MP3");
});

test.each<[string, FilmContents, string]>([
  [
    "a picture of another browser",
    { picture: hevc, sounds: [aac] },
    "This browser cannot decode the picture",
  ],
  [
    "a picture that could not be shown after a jump",
    { picture: { ...avc, hasOpenGroups: true }, sounds: [aac] },
    "shows nothing of this video after a jump",
  ],
  [
    "a picture of another browser, with open groups,",
    { picture: { ...hevc, hasOpenGroups: true }, sounds: [aac] },
    "This browser cannot decode the picture",
  ],
  [
    "a picture that is too large to convert",
    { picture: { ...hevc, tooLarge: { widthPx: 3840, heightPx: 2160 } }, sounds: [aac] },
    "With 3840 × 2160 pixels, the video is too large for this site to convert.",
  ],
  [
    "a picture that could not be shown after a jump, and is too large to convert,",
    { picture: { ...avc, hasOpenGroups: true, tooLarge: { widthPx: 3840, heightPx: 2160 } }, sounds: [aac] },
    "Firefox and Safari do. With 3840 × 2160 pixels",
  ],
  [
    "a sound that would be silent",
    { picture: avc, sounds: [sound("ac-3", "AC-3")] },
    "(AC-3). Safari and Edge can.",
  ],
  [
    "a sound of no browser",
    { picture: avc, sounds: [sound(null, "DTS")] },
    "No browser decodes the sound of this video (DTS).",
  ],
  [
    "a file that no browser opens",
    { closedContainer: { name: "AVI", extension: "avi", site: "ffmpeg" }, picture: null, sounds: [] },
    "No browser opens AVI files. Open the file in a player on your machine, such as VLC or mpv, or ask the operator of this site: with ffmpeg, it converts such videos.",
  ],
  [
    "a file that the site cannot convert",
    { closedContainer: { name: "FLV", extension: "flv", site: "never" }, picture: null, sounds: [] },
    "No browser opens FLV files. This site does not convert them either.",
  ],
])("%s is refused with a message", (_name, holds, text) =>
  expect(undecodableText(holds, decodes)).toContain(text),
);

test("a film that is too large to convert plays where the browser decodes its picture, and its sound is refused as undecodable", () => {
  const large = { ...avc, tooLarge: { widthPx: 3840, heightPx: 2160 } };
  expect(undecodableText({ picture: large, sounds: [aac] }, decodes)).toBeNull();
  expect(undecodableText({ picture: large, sounds: [sound(null, "DTS")] }, decodes)).not.toContain(
    "too large",
  );
});

test("a packaged film begins with the first sound track that the browser decodes", () => {
  const url = "/play/a/b/main.m3u8";
  const ac3 = sound("ac-3", "AC-3");
  expect(decodableUrl(url, { picture: avc, sounds: [ac3, aac] }, decodes)).toBe("/play/a/b/main-a9.m3u8");
  expect(decodableUrl(url, { picture: avc, sounds: [aac, ac3] }, decodes)).toBe(url);
});

test("a track that the browser does not decode is converted if the site can, and no other track is", () => {
  const url = "/play/a/b/main.m3u8";
  const ac3 = convertible(sound("ac-3", "AC-3"));
  const named = (holds: FilmContents) => decodableUrl(url, holds, decodes).replace("/play/a/b/", "");
  expect(undecodableText({ picture: convertible(hevc), sounds: [ac3] }, decodes)).toBeNull();
  expect(named({ picture: convertible(hevc), sounds: [ac3] })).toBe("main-h-c.m3u8");
  expect(named({ picture: convertible(hevc), sounds: [convertible(aac)] })).toBe("main-h.m3u8");
  expect(named({ picture: convertible(avc), sounds: [aac, ac3] })).toBe("main-c.m3u8");
  expect(named({ picture: { ...convertible(avc), hasOpenGroups: true }, sounds: [aac] })).toBe("main-h.m3u8");
  expect(named({ picture: avc, sounds: [sound(null, "DTS"), aac, ac3] })).toBe("main-c-a9.m3u8");
});

test("if the browser refuses what it says it decodes, the sound is converted first, and then the picture too", () => {
  const named = (holds: FilmContents) =>
    addressesToTry("/play/a/b/main.m3u8", holds, decodes).map((url) => url.replace("/play/a/b/", ""));
  expect(named({ picture: convertible(avc), sounds: [convertible(aac)] })).toEqual([
    "main.m3u8",
    "main-cc.m3u8",
    "main-h-cc.m3u8",
  ]);
  expect(named({ picture: avc, sounds: [aac] })).toEqual(["main.m3u8"]);
});

test("Vorbis of WebM is asked for as WebM", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("MediaSource", { isTypeSupported: (type: string) => type === 'audio/webm; codecs="vorbis"' });
  expect(decodesHere("audio", "vorbis")).toBe(true);
  expect(decodesHere("audio", "opus")).toBe(false);
});

test("a file in which nothing can be read is called empty, cut off or damaged, and one of an unknown format nothing", () => {
  type Read = Parameters<typeof unreadableOf>[0]["inspection"];
  const textOf = (path: string, size: number, read: Partial<Read> = {}) => {
    const unreadable = unreadableOf({
      path,
      size,
      inspection: { container: "other", obstacle: null, ...read },
    });
    return unreadableText({ picture: null, sounds: [], ...(unreadable && { unreadable }) });
  };
  expect(textOf("a.mkv", 0)).toMatch(/is empty/);
  expect(textOf("a.mp4", 9)).toMatch(/is damaged, or no video/);
  expect(textOf("a.mp4", 9, { obstacle: "cut-off" })).toMatch(/ends too early/);
  expect(textOf("a.mp4", 9, { container: "mp4", obstacle: "cut-off" })).toMatch(/ends too early/);
  expect(textOf("a.mkv", 9, { container: "matroska", obstacle: "compressed" })).toMatch(
    /compressed in a way/,
  );
  expect(textOf("a.mp4", 9, { container: "mp4" })).toBeNull();
  expect(textOf("a.avi", 9)).toMatch(/is damaged, or no video/);
  expect(textOf("a.3gp", 9)).toBeNull();
});
