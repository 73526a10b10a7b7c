import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findOtherContainer } from "#app/media/film/other-containers.ts";
import { reader } from "#tests/support/data/matroska-bytes.ts";

const text = (value: string) => Buffer.from(value, "latin1");
const filled = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(40_000)]);
const kindOf = (bytes: Uint8Array) => findOtherContainer(reader(bytes));

const asf = Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex");
const packets = (size: number, count: number, before = 0) =>
  Buffer.concat([
    Buffer.alloc(before, 1),
    ...Array.from({ length: count }, () => {
      const packet = Buffer.alloc(size);
      packet.set([0x47, 0x40, 0x00, 0x10]);
      return packet;
    }),
  ]);
/** The first page of a stream in an Ogg file. */
const oggPage = (content: string) =>
  Buffer.concat([
    text("OggS"),
    Buffer.from([0, 2]),
    Buffer.alloc(20),
    Buffer.from([1, content.length]),
    text(content),
  ]);

describe("a container is recognized by its bytes", () => {
  test.each([
    ["AVI", filled(text("RIFF\0\0\0\0AVI LIST")), "avi"],
    ["WMV", filled(asf), "asf"],
    ["MPEG-2 program stream", filled(Buffer.from([0, 0, 1, 0xba, 0x44])), "mpegps"],
    ["MPEG-1 program stream", filled(Buffer.from([0, 0, 1, 0xba, 0x21])), "mpegps"],
    ["transport stream", packets(188, 20), "mpegts"],
    ["transport stream of a disc", packets(192, 20, 4), "mpegts"],
    ["transport stream that begins within a packet", packets(188, 20, 100), "mpegts"],
    ["OGV", filled(oggPage("\x80theora")), "ogg"],
    ["OGM", filled(oggPage("\x01video\0\0\0")), "ogm"],
    ["FLV", filled(text("FLV\x01")), "flv"],
    ["RealMedia", filled(text(".RMF")), "realmedia"],
    ["disc image", Buffer.concat([Buffer.alloc(16 * 2048 + 1), text("CD001"), Buffer.alloc(2048)]), "disc"],
  ])("%s", (_, bytes, container) => {
    expect(kindOf(bytes)).toBe(container);
  });
});

describe("what only begins like a container is none", () => {
  test.each([
    ["a sound file in RIFF", filled(text("RIFF\0\0\0\0WAVEfmt "))],
    ["an Ogg without a picture", filled(oggPage("\x01vorbis"))],
    ["a text of the letter G", Buffer.alloc(40_000, "G")],
    ["a few packets", packets(188, 4)],
    ["a start code of MPEG without a pack", filled(Buffer.from([0, 0, 1, 0xba, 0xff]))],
    ["a film whose head is cut off", text("RIFF")],
    ["an empty file", Buffer.alloc(0)],
  ])("%s", (_, bytes) => {
    expect(kindOf(bytes)).toBeNull();
  });
});

test("no bytes make the recognition fail", () => {
  const starts = ["RIFF", "OggS", "FLV\x01", ".RMF", "\0\0\x01\xba", "G@\0\x10", ""].map(text);
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 600 }), (start, rest) => {
      expect(() => kindOf(Buffer.concat([start, rest]))).not.toThrow();
    }),
  );
});
