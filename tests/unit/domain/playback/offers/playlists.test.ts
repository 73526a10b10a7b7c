import { describe, expect, test } from "vitest";
import { mediaPlaylist, multivariantPlaylist } from "#app/domain/playback/offers/playlists.ts";
import type { AudioTrack } from "#app/media/film/inspection.ts";
import { planPicture } from "#app/media/segments/segment-plan.ts";
import { noFlags } from "#tests/support/data/inspected-films.ts";

const track: AudioTrack & { codec: string; isConverted: boolean } = {
  isConverted: false,
  number: 2,
  codec: "mp4a.40.2",
  codecLabel: "AAC",
  language: "ja",
  title: null,
  ...noFlags,
  channels: 2,
  span: { first: 0, last: 20 },
};

const namesIn = (playlist: string) => [...playlist.matchAll(/NAME="([^"]*)"/g)].map(([, name]) => name);

describe("playlists", () => {
  const picture = {
    ...track,
    number: 1,
    codec: "hvc1.2.4.L120.90",
    widthPx: 1920,
    heightPx: 1080,
    bitDepth: 10,
    hasOpenGroups: false,
  };

  test("a track without a title is named by its language and layout, and one without both by its place", () => {
    const sounds = [
      { ...track, number: 2, channels: 6 },
      { ...track, number: 4, language: null },
      { ...track, number: 5, language: null, channels: 8 },
      { ...track, number: 6, channels: 6 },
    ];
    const text = multivariantPlaylist({ picture, sounds }, { chosen: null, bitsPerSecond: 5000 });
    expect(namesIn(text)).toEqual([
      "Japanese, 5.1",
      "Sound 2 (no language given)",
      "Sound 3 (no language given), 7.1",
      "Japanese, 5.1 (4)",
    ]);
  });

  test("a title that only describes the sound follows the language", () => {
    const sounds = [
      { ...track, number: 2, title: "Stereo" },
      { ...track, number: 3, language: "en", title: "DTS-HD MA 5.1" },
      { ...track, number: 4, language: null, title: "FLAC 2.0" },
      { ...track, number: 5, title: "Stereo mix of the cinema" },
    ];
    const text = multivariantPlaylist({ picture, sounds }, { chosen: null, bitsPerSecond: 5000 });
    expect(namesIn(text)).toEqual([
      "Japanese, Stereo",
      "English, DTS-HD MA 5.1",
      "FLAC 2.0",
      "Stereo mix of the cinema",
    ]);
  });

  test("a repeated title gets a number that makes it unlike every earlier name", () => {
    const sounds = ["Commentary (3)", "Commentary", "Commentary"].map((title, index) => ({
      ...track,
      number: index + 2,
      title,
    }));
    const text = multivariantPlaylist({ picture, sounds }, { chosen: null, bitsPerSecond: 5000 });
    expect(namesIn(text)).toEqual(["Commentary (3)", "Commentary", "Commentary (4)"]);
  });

  test("the track that the file marks plays first, and a commentary never by itself", () => {
    const sounds = [
      { ...track, isCommentary: true, isDefault: true },
      { ...track, number: 3, codec: "flac", title: 'Dub "5.1"\n#EXT' },
    ];
    const text = multivariantPlaylist({ picture, sounds }, { chosen: null, bitsPerSecond: 5000 });
    expect(text).toContain('NAME="Japanese (commentary)",LANGUAGE="ja",DEFAULT=NO,AUTOSELECT=NO');
    expect(text).toContain('NAME="Dub \'5.1\'\'#EXT",LANGUAGE="ja",DEFAULT=YES');
    expect(text).toContain('CODECS="hvc1.2.4.L120.90,fLaC"');
    const other = multivariantPlaylist({ picture, sounds }, { chosen: 2, bitsPerSecond: 5000 });
    expect(other).toContain('CODECS="hvc1.2.4.L120.90,mp4a.40.2"');
  });

  test("the resolution is the size in which the picture is shown", () => {
    const resolutionOf = (one: typeof picture & { shownWidthPx?: number }) => {
      const text = multivariantPlaylist({ picture: one, sounds: [] }, { chosen: null, bitsPerSecond: 5000 });
      return /RESOLUTION=(\w+)/.exec(text)?.[1];
    };
    expect(resolutionOf(picture)).toBe("1920x1080");
    const dvd = { ...picture, widthPx: 720, heightPx: 480, shownWidthPx: 853 };
    expect(resolutionOf(dvd)).toBe("853x480");
  });

  test("the target duration is the rounded duration of the longest segment", () => {
    const text = mediaPlaylist(
      "v",
      planPicture(
        [0, 10.4].map((seconds) => ({ seconds, at: 0 })),
        12,
      ),
    );
    expect(text).toContain("#EXT-X-TARGETDURATION:10\n");
    expect(text).toContain("#EXTINF:10.40000,\nv-0.m4s\n#EXTINF:1.60000,\nv-1.m4s\n#EXT-X-ENDLIST\n");
  });
});
