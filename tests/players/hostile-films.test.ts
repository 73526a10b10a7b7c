import { describe, expect, test } from "vitest";
import {
  hostileSegments,
  hostileTracks,
  writeHostileFilms,
  writeHostileName,
} from "#tests/support/data/hostile-films.ts";
import { askForSegments, askForSubtitles } from "#tests/support/requests/hostile-film.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Films made to cost time and memory: each is answered or refused. tests/load measures their cost. */

const films = temporaryFolder("films");
writeHostileFilms(films, hostileTracks);
const firstSegments = 1 + Object.keys(hostileTracks).length;
writeHostileFilms(films, hostileSegments, firstSegments);
writeHostileName(films);
const site = await startSite({ MEDIA_DIR: films, MEMORY: "1024" }, { isQuiet: true });
const scanned = runTool(site, "sources", ["scan", films]);

test("control characters in file names never reach a terminal", () => {
  expect(scanned).toContain("Cowboy Bebop - 01");
  // The film whose name contains them is not registered, and the list of such files shows the name without them.
  expect(scanned).toMatch(/passed over +Cowboy Bebop - 19\P{Cc}*: Its name has control characters/u);
  expect(scanned).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});

describe("subtitles and fonts", () => {
  /** The statuses of the WebVTT, the script, and three fonts. A damaged track gets 500, as a damaged segment does. */
  const expected: Record<keyof typeof hostileTracks, number[]> = {
    "subtitles of 200 MB": [413, 413, 404, 404, 404],
    "10,000 attachments": [200, 200, 200, 404, 404],
    "an attachment of 2 GB": [200, 200, 404, 404, 404],
    "one cluster without an end": [500, 500, 404, 404, 404],
    "half a film": [200, 200, 404, 404, 404],
  };

  test.each(Object.entries(expected))("of a film with %s are answered or refused", async (name, statuses) => {
    const episode = 1 + Object.keys(hostileTracks).indexOf(name);
    const found = await askForSubtitles(site.origin, episode);
    expect(found).toEqual({ labels: [expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u)], statuses });
  });
});

describe("picture and sound", () => {
  /** For some films, a part is refused. */
  const isDamaged: Record<keyof typeof hostileSegments, boolean> = {
    "40 million packets in 40 MB": true,
    "a cluster that ends beyond the file": true,
    "blocks that end beyond their cluster": false,
    "tracks that end beyond the file": false,
    "an index of places beyond the file": true,
    "a font that is none": false,
  };

  test.each(Object.entries(isDamaged))(
    "of a film with %s are answered or refused",
    async (name, isRefused) => {
      const episode = firstSegments + Object.keys(hostileSegments).indexOf(name);
      const { statuses, fonts, page } = await askForSegments(site.origin, episode);
      expect(statuses.filter((status) => ![200, 404, 500].includes(status))).toEqual([]);
      expect(statuses.includes(500)).toBe(isRefused);
      expect(fonts).toEqual(fonts.map(() => 404));
      expect(page).toBe(200);
    },
  );
});
