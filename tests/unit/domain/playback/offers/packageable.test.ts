import { describe, expect, test } from "vitest";
import { type Conversions, conversionsWith } from "#app/domain/playback/offers/convertible.ts";
import {
  filmTracks,
  isPackageable,
  isPlayable,
  offeredTracks,
} from "#app/domain/playback/offers/packageable.ts";
import type { Inspection } from "#app/media/film/inspection.ts";
import { inspectionOf, noFlags } from "#tests/support/data/inspected-films.ts";

const flags = { ...noFlags, language: null, title: null };
const picture = { widthPx: 640, heightPx: 360, bitDepth: 8, hasOpenGroups: false };
const sound = (number: number, codec: string | null) => ({
  ...flags,
  number,
  codec,
  codecLabel: "",
  channels: 2,
  span: null,
});
const film = (codec: string | null, audio: Inspection["audio"]) =>
  inspectionOf({ video: [{ ...flags, ...picture, number: 1, codec, codecLabel: "" }], audio });
const means = { hasSmallConverter: false, pictureConverters: 1, soundConverters: 1 };
const [withFfmpeg, alone] = [true, false].map((hasFfmpeg) => conversionsWith({ hasFfmpeg, ...means }));

const tracksOf = (inspection: Inspection, conversions = withFfmpeg) => {
  const tracks = conversions && filmTracks(inspection, conversions);
  if (!tracks) throw new Error("the film has no tracks");
  return tracks;
};

test("without ffmpeg, AC-3 and E-AC-3 are converted, but neither DTS nor pictures", () => {
  const inspection = film("mpeg2", [sound(2, "ac-3"), sound(3, "ec-3"), sound(4, null)]);
  const { picture, sounds } = tracksOf(inspection, alone);
  expect(picture.isConvertible).toBe(false);
  expect(sounds.map(({ isConvertible }) => isConvertible)).toEqual([true, true, false]);
  expect(tracksOf(inspection).sounds.every(({ isConvertible }) => isConvertible)).toBe(true);
});

test("only a site with the small converter rejects a picture as too large, and only if it would otherwise convert it", () => {
  const sizes = [
    { widthPx: 1920, heightPx: 1088 },
    { widthPx: 2560, heightPx: 1440 },
  ];
  const convertible = (some: Partial<typeof means> & { hasFfmpeg?: boolean }) =>
    sizes.map(conversionsWith({ hasFfmpeg: true, ...means, ...some }).isTooLarge);
  expect(convertible({ hasSmallConverter: true })).toEqual([false, true]);
  expect(convertible({})).toEqual([false, false]);
  expect(convertible({ hasSmallConverter: true, hasFfmpeg: false })).toEqual([false, false]);
});

test("an MP4 that every browser plays is packaged only if it is played from a later time on", () => {
  const whole = { ...film("avc1.640028", [sound(2, "mp4a.40.2")]), container: "mp4" as const };
  const part = { title: null, start: 3600, end: null, isHidden: true, otherFile: null };
  expect(withFfmpeg && filmTracks(whole, withFfmpeg)).toBeNull();
  expect(isPackageable(tracksOf({ ...whole, edition: [part] }))).toBe(true);
});

test("other players are not offered a film that must be converted", () => {
  const dts = tracksOf(film("avc1.640028", [sound(2, null)]));
  expect([isPackageable(dts), isPlayable(dts)]).toEqual([false, true]);
  const old = tracksOf(film(null, [sound(2, "mp4a.40.2")]));
  expect([isPackageable(old), isPlayable(old)]).toEqual([false, true]);
  expect(isPlayable(tracksOf(film(null, [sound(2, "mp4a.40.2")]), alone))).toBe(false);
});

test("sound that every browser decodes stays unchanged beside converted sound", () => {
  const tracks = tracksOf(film("avc1.640028", [sound(2, "ac-3"), sound(3, "flac")]));
  const variant = { isPictureConverted: false, convertedSound: "rare" as const, chosen: null };
  const offered = offeredTracks(tracks, variant);
  expect(offered?.sounds.map(({ codec }) => codec)).toEqual(["mp4a.40.2", "flac"]);
  expect(offeredTracks(tracks, { ...variant, chosen: 9 })).toBeNull();
  const all = offeredTracks(tracks, { ...variant, convertedSound: "all" });
  expect(all?.sounds.map(({ codec }) => codec)).toEqual(["mp4a.40.2", "mp4a.40.2"]);
});

describe("an MP4", () => {
  const mp4 = (codec: string | null, ...sounds: (string | null)[]) =>
    filmTracks(
      {
        ...film(
          codec,
          sounds.map((name, index) => sound(index + 2, name)),
        ),
        container: "mp4",
      },
      withFfmpeg as Conversions,
    );

  test.each([["avc1.640028", "mp4a.40.2"], ["avc1.42C01E", "mp4a.6B"], ["avc1.4D401F"]])(
    "with %s and %s stays as it is, since every browser plays it",
    (codec, ...sounds) => expect(mp4(codec, ...sounds)).toBeNull(),
  );

  test.each([
    ["HEVC", "hvc1.2.4.L120.B0", "mp4a.40.2"],
    ["H.264 of 10 bits", "avc1.6E0028", "mp4a.40.2"],
    ["AC-3", "avc1.640028", "ac-3"],
    ["sound without a name in MP4", "avc1.640028", null],
    ["two sound tracks to choose from", "avc1.640028", "mp4a.40.2", "mp4a.40.2"],
  ])("with %s is packaged", (_, codec, ...sounds) => {
    const tracks = mp4(codec, ...sounds);
    expect(tracks && isPlayable(tracks)).toBe(true);
  });

  test("with open groups of pictures is packaged, so that it can be converted for browsers that cannot start at such a group", () => {
    const inspection = film("avc1.640028", [sound(2, "mp4a.40.2")]);
    const video = inspection.video.map((track) => ({ ...track, hasOpenGroups: true }));
    expect(tracksOf({ ...inspection, container: "mp4", video }).picture.isConvertible).toBe(true);
  });
});

test("a transport stream and WebM are played unchanged", () => {
  for (const container of ["mpegts", "webm", "other"] as const)
    expect(filmTracks({ ...film("hvc1.2.4.L120.B0", []), container }, withFfmpeg as Conversions)).toBeNull();
});
