import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectKind, headBytes } from "#app/media/kinds/detect-kind.ts";
import { extensionOf } from "#app/platform/media-types.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const packets = (length: number, lead: number) => {
  const head = new Uint8Array(headBytes).fill(0x11);
  for (let at = lead; at < head.length; at += length) head[at] = 0x47;
  return head;
};
const box = (name: string, brand = "iso5") => bytes(`\0\0\0\x18${name}${brand}\0\0\0\0`);
const adts = () => {
  const frame = [0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, ...Array<number>(9).fill(0)];
  return Uint8Array.from([...frame, ...frame, ...frame]);
};
const webm = Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84, ...bytes("webm")]);
const id3 = Uint8Array.from([...bytes("ID3\x04\0\0"), 0, 0, 0, 10, ...Array<number>(10).fill(0)]);

const look = (head: Uint8Array, label = "text/plain", path = "/x") =>
  detectKind({ label, paths: [path], head });

describe("detectKind", () => {
  test.each([
    ["transport stream", packets(188, 0), "video/mp2t"],
    ["Blu-ray transport stream", packets(192, 4), "video/mp2t"],
    ["MP4", box("ftyp"), "video/mp4"],
    ["fragment", box("styp"), "video/mp4"],
    ["bare fragment", box("moof"), "video/mp4"],
    ["M4A", box("ftyp", "M4A "), "audio/mp4"],
    ["AAC", adts(), "audio/aac"],
    ["AAC behind ID3", Uint8Array.from([...id3, ...adts()]), "audio/aac"],
    ["WebM", webm, "video/webm"],
    ["captions", bytes("WEBVTT\n\n"), "text/vtt"],
    ["captions behind a byte order mark", bytes("\uFEFFWEBVTT"), "text/vtt"],
  ])("%s is recognized, whatever its media type says", (_name, head, type) => {
    for (const label of [
      "text/vnd.trolltech.linguist",
      "text/html",
      "image/svg+xml",
      "application/octet-stream",
    ])
      expect(look(head, label)).toEqual({ type });
  });

  test.each([
    ["HTML", `<!doctype html><p>${"x".repeat(80)}`],
    ["HTML in UTF-16", `\uFEFF<html>${"x".repeat(80)}`],
    ["a script", `fetch("/").then(console.log);${" ".repeat(80)}`],
  ])("%s is refused even if a playlist with a key names it", (name, text) => {
    const head = name.endsWith("16") ? new Uint8Array(Buffer.from(text, "utf16le")) : bytes(text);
    for (const label of ["text/html", "text/javascript"])
      expect(detectKind({ label, paths: ["/x"], head, encrypted: { bytes: head, isWhole: false } })).toBe(
        "document",
      );
  });

  test("encrypted bytes that begin like a script are not refused", () => {
    const head = Uint8Array.from([
      ...bytes("// "),
      ...Array.from({ length: 200 }, (_, at) => (at * 89) % 256),
    ]);
    expect(look(head, "text/javascript")).toBe("document");
    const encrypted = { bytes: head, isWhole: false };
    expect(detectKind({ label: "text/javascript", paths: ["/x"], head, encrypted })).toEqual({
      type: "application/octet-stream",
    });
  });

  test.each([
    ["a short document", "<p>Gone</p>", "document"],
    ["a short script", "alert(1)", "document"],
    ["short text in another encoding", "caf\xe9", "bytes"],
    ["a short ciphertext", "\x01\xfe<p>", "bytes"],
    ["nothing", "", "bytes"],
  ])("%s as a whole encrypted file is judged like a long one", (_name, text, expected) => {
    const head = new Uint8Array(Buffer.from(text, "latin1"));
    const encrypted = { bytes: head, isWhole: true };
    expect(detectKind({ label: "text/html", paths: ["/x"], head, encrypted })).toEqual(
      expected === "document" ? "document" : { type: "application/octet-stream" },
    );
  });

  test("a few bytes from the middle of an encrypted file are not refused as text", () => {
    const part = { bytes: bytes("abc"), isWhole: false };
    expect(detectKind({ label: "text/html", paths: ["/x"], head: undefined, encrypted: part })).toEqual({
      type: "application/octet-stream",
    });
  });

  test("the media type decides between audio and video in one container", () => {
    expect(look(box("styp"), "audio/mp4; codecs=x")).toEqual({ type: "audio/mp4" });
    expect(look(webm, "audio/webm")).toEqual({ type: "audio/webm" });
    expect(look(box("styp"), "video/mp2t")).toEqual({ type: "video/mp4" });
  });

  test("an EBML header that ends before the document type leaves the choice to the media type", () => {
    const header = (documentType: string) =>
      Uint8Array.from([
        ...[0x1a, 0x45, 0xdf, 0xa3, 0xa3, 0x42, 0x86, 0x81, 1, 0x42, 0xf7, 0x81, 1, 0x42, 0xf2, 0x81, 4],
        ...[0x42, 0xf3, 0x81, 8, 0x42, 0x82, 0x80 + documentType.length, ...bytes(documentType)],
        ...[0x42, 0x87, 0x81, 4, 0x42, 0x85, 0x81, 2],
      ]);
    const whole = header("webm");
    for (let length = 4; length <= whole.length; length++) {
      const head = whole.subarray(0, length);
      for (const type of ["video/webm", "audio/webm"]) expect(look(head, type)).toEqual({ type });
    }
    const matroska = header("matroska");
    for (const length of [10, 16]) {
      expect(look(matroska.subarray(0, length), "video/x-matroska")).toEqual({ type: "video/x-matroska" });
      expect(look(matroska.subarray(0, length), "text/html")).toEqual({ type: "video/x-matroska" });
    }
    expect(look(matroska, "video/webm")).toEqual({ type: "video/x-matroska" });
    const padded = Uint8Array.from([...matroska, ...Array<number>(100).fill(0)]);
    expect(look(padded, "video/webm")).toEqual({ type: "video/x-matroska" });
  });

  test.each([
    "<!DOCTYPE html>",
    "  \n<html>",
    "<script>alert(1)</script>",
    '<?xml version="1.0"?>',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    "<!-- x --><p>",
    "<x:svg >",
    "\uFEFF<html>",
    "alert",
    "(function () {})();",
    "const a = 1",
    "'use strict';",
    "/* x */ x",
    "#!/bin/sh",
  ])("%j is refused", (text) => {
    const label = text === "alert" ? "text/javascript" : "video/mp2t";
    expect(look(bytes(text), label, "/1.ts")).toBe("document");
  });

  test("a document is refused in UTF-16 and by its media type", () => {
    expect(look(new Uint8Array(Buffer.from("\uFEFF<html>", "utf16le")), "video/mp4")).toBe("document");
    for (const label of ["text/html", "application/xhtml+xml", "image/svg+xml", "application/javascript"])
      expect(look(bytes("plain words, nothing else"), label)).toBe("document");
  });

  test("unknown content is sent as octet-stream, whatever its name", () => {
    expect(look(Uint8Array.from([1, 2, 3, 4]), "text/plain", "/1.ts")).toEqual({
      type: "application/octet-stream",
    });
    expect(look(bytes('{"cast":[]}'), "application/json")).toEqual({ type: "application/octet-stream" });
    expect(look(bytes('{"ASSETS":[]}'), "text/plain")).toEqual({ type: "application/octet-stream" });
    expect(look(bytes("<script>alert()"), "text/html").valueOf()).toBe("document");
    expect(look(bytes("<svg onload=a()>"), "text/html")).toEqual({ type: "application/octet-stream" });
    expect(look(new Uint8Array(0), "video/mp4")).toEqual({ type: "video/mp4" });
  });

  test("a playlist is recognized by its first line, or by media type or name if the first line is unusual", () => {
    expect(look(bytes("#EXTM3U\n1.ts"), "text/html", "/film.ts")).toBe("playlist");
    for (const space of ["\uFEFF", " ", "\r\n\t", "\uFEFF\uFEFF "])
      expect(look(bytes(`${space}#EXTM3U\r\n`)), JSON.stringify(space)).toBe("playlist");
    expect(look(bytes("\n\n#EXTM3U\n"), "application/x-mpegURL")).toBe("playlist");
    expect(look(bytes("#EXTINF:4,\n1.ts"), "text/plain", "/film.m3u8")).toBe("playlist");
    expect(look(bytes("# made by hand\n#\n#EXTM3U\n1.ts"), "text/plain", "/film.m3u8")).toBe("playlist");
    expect(look(bytes("http://h.test/1.ts\n"), "audio/x-mpegurl")).toBe("playlist");
    expect(look(bytes("no such film\n"), "audio/x-mpegurl")).toEqual({ type: "application/octet-stream" });
    expect(look(packets(188, 0), "application/vnd.apple.mpegurl", "/film.m3u8")).toEqual({
      type: "video/mp2t",
    });
    expect(look(Uint8Array.from([0, 1, 2]), "application/vnd.apple.mpegurl")).toEqual({
      type: "application/octet-stream",
    });
  });

  test("JSON lists of URLs are recognized", () => {
    expect(look(bytes('{"ASSETS":[]}'), "application/json; charset=utf-8")).toBe("url list");
    expect(look(bytes('{"VERSION":1,"TTL":300}'), "application/vnd.apple.steering-list")).toBe("url list");
    expect(detectKind({ label: "application/json", paths: ["/x"], head: undefined })).toBe("url list");
  });

  test("without content, the media type decides, and then the name", () => {
    const unseen = (label: string | undefined, path: string) =>
      detectKind({ label, paths: [path], head: undefined });
    expect(unseen("video/mp4", "/1.ts")).toEqual({ type: "video/mp4" });
    expect(unseen("text/vnd.trolltech.linguist", "/a/1.TS")).toEqual({ type: "video/mp2t" });
    expect(unseen(undefined, "/1.bin")).toEqual({ type: "application/octet-stream" });
    expect(unseen("text/html", "/page")).toBe("document");
    expect(unseen("application/dash+xml", "/page")).toBe("DASH manifest");
    expect(unseen("video/vnd.mpeg.dash.mpd", "/page")).toBe("DASH manifest");
    expect(unseen("application/octet-stream", "/film.mpd")).toBe("DASH manifest");
    expect(unseen("audio/mpegurl", "/x")).toBe("playlist");
    expect(unseen("text/plain", "/x.m3u8")).toBe("playlist");
  });

  test("if a range ends before its bytes show the kind, the media type decides, and then the name", () => {
    const cut = (text: string, label: string, path = "/film.mp4") =>
      detectKind({ label, paths: [path], head: bytes(text), isCut: true });
    for (const label of ["application/octet-stream", "binary/octet-stream", "text/plain"])
      expect(cut("\0\0", label)).toEqual({ type: "video/mp4" });
    expect(cut("\0\0", "video/webm")).toEqual({ type: "video/webm" });
    expect(cut("\0\0", "application/octet-stream", "/film")).toEqual({ type: "application/octet-stream" });
    expect(cut("<p>", "application/octet-stream")).toBe("document");
  });

  test("no content is ever sent as a document or script", () => {
    const safe = /^(?:video|audio)\/[\w.+-]+$|^(?:text\/vtt|application\/(?:octet-stream|mp4|ogg))$/;
    const label = fc.oneof(
      fc.string(),
      fc.constantFrom("text/html", "video/mp4", "video/xml", "audio/x+html"),
    );
    fc.assert(
      fc.property(label, fc.option(fc.uint8Array({ maxLength: 80 }), { nil: undefined }), (given, head) => {
        const kind = detectKind({ label: given, paths: ["/x.html"], head });
        expect(typeof kind === "string" || safe.test(kind.type)).toBe(true);
      }),
    );
  });
});

test("extensions are read in lower case", () => {
  expect(["/a.b/c", "/a/b.TS", "/a/.m3u8", "b.tar.gz"].map(extensionOf)).toEqual(["", "ts", "m3u8", "gz"]);
});
