import { expect, test } from "vitest";
import { bestFirst, type RankedFilm } from "#app/domain/playback/offers/best-first.ts";
import type { Inspection, VideoTrack } from "#app/media/film/inspection.ts";

const holding = (widthPx: number, heightPx: number, container: Inspection["container"] = "matroska") =>
  ({
    container,
    obstacle: null,
    video: [{ codec: "avc1.640028", hasOpenGroups: false, widthPx, heightPx } as VideoTrack],
    audio: [],
  }) as unknown as Inspection;

type Film = Partial<RankedFilm> & { path: string };
const order = (...films: Film[]) =>
  bestFirst(films, (film) => ({ position: 0, size: 1, inspection: null, ...film })).map(({ path }) => path);

test.each<[string, Film[], string[]]>([
  [
    "the picture with more lines, as its file or its name says",
    [{ path: "a [480p]" }, { path: "b [1080p]" }, { path: "c", inspection: holding(1280, 720) }],
    ["b [1080p]", "c", "a [480p]"],
  ],
  [
    "what was read of the file counts more than its name",
    [{ path: "a [1080p]", inspection: holding(640, 480) }, { path: "b [720p]" }],
    ["b [720p]", "a [1080p]"],
  ],
  ["4K before 1440p", [{ path: "a 1440p" }, { path: "b 4K" }], ["b 4K", "a 1440p"]],
  [
    "a wide picture has the lines of one that is not cut, so the larger file is first",
    [
      { path: "a", size: 1, inspection: holding(1440, 1080) },
      { path: "b", size: 2, inspection: holding(1920, 800) },
    ],
    ["b", "a"],
  ],
  [
    "of one resolution, the later version",
    [{ path: "x - 05 [720p]", size: 9 }, { path: "x - 05v2 [720p]" }, { path: "x - 05 [v3] [720p]" }],
    ["x - 05 [v3] [720p]", "x - 05v2 [720p]", "x - 05 [720p]"],
  ],
  [
    "of one resolution and version, what browsers play as it is, then the larger file",
    [
      { path: "small.mkv", size: 1, inspection: holding(1280, 720) },
      { path: "large.mkv", size: 9, inspection: holding(1280, 720) },
      { path: "plain.mp4", size: 5, inspection: holding(1280, 720, "mp4") },
    ],
    ["plain.mp4", "large.mkv", "small.mkv"],
  ],
  [
    "a folder's name and a title that ends with v say nothing",
    [
      { path: "Show [2160p] v9/05.mkv", size: 1 },
      { path: "V5/05 720p.mkv", size: 1 },
    ],
    ["V5/05 720p.mkv", "Show [2160p] v9/05.mkv"],
  ],
])("the order of films puts first: %s", (_, films, expected) => {
  expect(order(...films)).toEqual(expected);
  expect(order(...films.toReversed())).toEqual(expected);
});

test("films ordered by an operator, and sources that no scan found, keep their positions", () => {
  expect(order({ path: "a 480p", position: 0 }, { path: "b 1080p", position: 1 })).toEqual([
    "a 480p",
    "b 1080p",
  ]);
  const sources = ["https://films.test/1", "480p", "1080p", "https://films.test/2"];
  const rankOf = (path: string) =>
    path.startsWith("https") ? undefined : { path, position: 3, size: 1, inspection: null };
  expect(bestFirst(sources, rankOf)).toEqual([sources[0], "1080p", "480p", sources[3]]);
});
