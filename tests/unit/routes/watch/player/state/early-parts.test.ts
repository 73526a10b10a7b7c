import { expect, test } from "vitest";
import { earlyParts } from "#app/routes/watch/player/state/early-parts.ts";
import type { Ability, PlayerSource } from "#app/routes/watch/player/state/playback.ts";

const avc = { codec: "avc1.640028", codecLabel: "H.264", isConvertible: true };
const hevc = { codec: "hvc1.2.4.L120.90", codecLabel: "HEVC", isConvertible: true };
const aac = { number: 2, codec: "mp4a.40.2", codecLabel: "AAC", language: null, isConvertible: false };
const ac3 = { number: 3, codec: "ac-3", codecLabel: "AC-3", language: null, isConvertible: false };
const ability: Ability = {
  feedsHls: true,
  playsHls: false,
  canPlayFile: () => true,
  decodes: (_kind, codec) => /^(?:avc1|mp4a)/.test(codec),
};
const packaged = (holds: PlayerSource["holds"], url = "/play/film/version/main.m3u8"): PlayerSource => ({
  url,
  type: "hls",
  label: null,
  language: null,
  ...(holds && { holds }),
});
const at = (...names: string[]) => names.map((name) => `/play/film/version/${name}`);

const fromStart = { inMiddle: false, wish: { soundLanguage: "original", sound: null } };

test("the parts that the player needs first are those of the picture and of the first decodable sound", () => {
  const first = ["v.m3u8", "a2.m3u8", "v.mp4", "a2.mp4", "v-0.m4s", "a2-0.m4s"];
  expect(earlyParts([packaged({ picture: avc, sounds: [aac, ac3] })], ability, fromStart)).toEqual(
    at("main.m3u8", ...first),
  );
  expect(earlyParts([packaged({ picture: avc, sounds: [ac3, aac] })], ability, fromStart)).toEqual(
    at("main-a2.m3u8", ...first),
  );
  expect(earlyParts([packaged({ picture: avc, sounds: [] })], ability, fromStart)).toEqual(
    at("main.m3u8", "v.m3u8", "v.mp4", "v-0.m4s"),
  );
});

test("of several sounds, the one that the viewer prefers is loaded early", () => {
  const [english, japanese] = [
    { ...aac, language: "en" },
    { ...aac, number: 3, language: "ja" },
  ];
  const soundOf = (sounds: (typeof english)[], wish = {}) =>
    earlyParts([packaged({ picture: avc, sounds })], ability, {
      ...fromStart,
      wish: { ...fromStart.wish, ...wish },
    }).filter((url) => url.endsWith("-0.m4s"))[1];
  const [second, third] = at("a2-0.m4s", "a3-0.m4s");
  expect(soundOf([english, japanese])).toBe(third);
  expect(soundOf([english, japanese], { soundLanguage: "en" })).toBe(second);
  expect(soundOf([english, japanese], { soundLanguage: "en", sound: "ja" })).toBe(third);
  // A track with another codec is loaded later, from another URL.
  expect(soundOf([english, { ...japanese, codec: "flac" }])).toBe(second);
});

test("if the film starts in the middle, no segment of its beginning is loaded", () => {
  expect(
    earlyParts([packaged({ picture: avc, sounds: [aac] })], ability, { ...fromStart, inMiddle: true }),
  ).toEqual(at("main.m3u8", "v.m3u8", "a2.m3u8", "v.mp4", "a2.mp4"));
});

test.each<[string, PlayerSource[], Partial<Ability>]>([
  ["the picture has to be converted", [packaged({ picture: hevc, sounds: [aac] })], {}],
  [
    "a sound has to be converted",
    [packaged({ picture: avc, sounds: [aac, { ...ac3, isConvertible: true }] })],
    {},
  ],
  ["no sound can be heard", [packaged({ picture: avc, sounds: [ac3] })], {}],
  ["another source comes first", [{ ...packaged(undefined, "/film/1"), type: "file" }], {}],
  [
    "the stream is one of another server",
    [packaged({ picture: avc, sounds: [] }, "/api/videoProxy?url=x")],
    {},
  ],
  [
    "the browser plays HLS by itself",
    [packaged({ picture: avc, sounds: [aac] })],
    { feedsHls: false, playsHls: true },
  ],
])("nothing is loaded early if %s", (_, sources, change) => {
  expect(earlyParts(sources, { ...ability, ...change }, fromStart)).toEqual([]);
});
