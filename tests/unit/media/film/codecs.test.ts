import { expect, test } from "vitest";
import { codecOf } from "#app/media/film/codecs.ts";

/** The first bytes of the configurations that x264 writes. */
test.each([
  ["017a000affe10018677a000abcd94426c04400", 8, "avc1.7A000A"],
  ["017a000affe10018677a000ab6cd94426c0440", 10, "avc1.7A000A"],
  ["01f4000affe1001767f4000a919b2884d80880", 8, "avc1.F4000A"],
  ["016e000affe10018676e000aa6cd94426c0440", 10, "avc1.6E000A"],
  ["016e000affe10000", 10, "avc1.6E000A"],
  ["0164000affe1001867640000acd94426c04400", 8, "avc1.64000A"],
])("H.264 with the configuration %s has %i bits", (config, bitDepth, codec) =>
  expect(codecOf({ codecId: "V_MPEG4/ISO/AVC", codecPrivate: Buffer.from(config, "hex") })).toEqual({
    codec,
    codecLabel: "H.264",
    bitDepth,
  }),
);

test.each([
  ["6101", "WMA"],
  ["5500", "MP3"],
  ["", "an unknown codec"],
])("sound of Windows with the format %s is %s", (format, codecLabel) =>
  expect(codecOf({ codecId: "A_MS/ACM", codecPrivate: Buffer.from(format, "hex") })).toEqual({
    codec: null,
    codecLabel,
  }),
);
