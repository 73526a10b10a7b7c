import { readFileSync } from "node:fs";
import { type Fields, generatedName } from "#tests/support/data/generated-titles.ts";

/**
 * Generates a catalog of 200 titles, and folders with films of them in five layouts. Each film has the correct title
 * and episode.
 */

export type TreeFilm = {
  path: string;
  /** Null for a film that belongs to no title of the catalog, such as an episode of a missing sequel or half an episode. */
  malId: number | null;
  episode: number | null;
  isExtra?: true;
};

type Title = { malId: number; name: string; english: string; type: string; episodes: number; year: number };
type Season = { title: Title; tvdbSeason: number };
type Series = { name: string; tvdbId: number; seasons: Season[]; isAbsolute: boolean };

/** The next number from 0 to `below`, the same in each run. */
type Dice = (below: number) => number;

function dice(seed: number): Dice {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const rulesFile = new URL("../../../db/continued-numbers.txt", import.meta.url);

/** Pairs of titles with continuous numbers: the first episode of the second title follows the last one of the first. */
function continuedPairs(): { from: number; to: number; first: number; last: number }[] {
  const rule = /^- (\d+)\|[\d?]+\|[\d?]+:(\d+)-(\d+) -> (\d+)\|[\d?]+\|[\d?]+:1-\d+!?$/;
  const pairs = readFileSync(rulesFile, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, from, first, last, to] = rule.exec(line) ?? [];
      return from === undefined
        ? []
        : [{ from: Number(from), to: Number(to), first: Number(first), last: Number(last) }];
    });
  const count = new Map<number, number>();
  for (const id of pairs.flatMap(({ from, to }) => [from, to])) count.set(id, (count.get(id) ?? 0) + 1);
  return pairs.filter(
    ({ from, to, first }) => count.get(from) === 1 && count.get(to) === 1 && first > 10 && first < 60,
  );
}

const nameOf = (number: number) =>
  `${generatedName(number)} ${["no Uta", "Kitan", "to Hoshi", ""][number % 4]}`.trim();

function generateSeries(): { series: Series[]; titles: Title[]; missing: Title[] } {
  const series: Series[] = [];
  const missing: Title[] = [];
  const pairs = continuedPairs();
  let id = 600_000_000;
  for (let number = 0; series.flatMap(({ seasons }) => seasons).length < 200; number++) {
    const name = nameOf(number);
    const year = 1990 + (number % 30);
    const title = (suffix: string, more: Partial<Title> = {}): Title => ({
      malId: ++id,
      name: name + suffix,
      english: `The ${number}th Tale of ${generatedName(number + 5000)}${suffix}`,
      type: "TV",
      episodes: [12, 13, 24, 26][number % 4] ?? 12,
      year,
      ...more,
    });
    const add = (seasons: Season[], isAbsolute = false) =>
      series.push({ name, tvdbId: 10_000 + number, seasons, isAbsolute });
    const first = { title: title(""), tvdbSeason: 1 };
    const kind = number % 8;
    if (kind === 0) {
      const pair = pairs[number / 8];
      if (!pair) throw new Error("there are too few rules");
      const begin = title("", { malId: pair.from, episodes: pair.first - 1 });
      const rest = title(" Zoku", { malId: pair.to, episodes: pair.last - pair.first + 1, year: year + 1 });
      add(
        [
          { title: begin, tvdbSeason: 1 },
          { title: rest, tvdbSeason: 2 },
        ],
        true,
      );
    } else if (kind === 1) add([first, { title: title(" 2nd Season", { year: year + 2 }), tvdbSeason: 2 }]);
    else if (kind === 2) add([first, { title: title(" Part 2"), tvdbSeason: 1 }]);
    else if (kind === 3) add([{ title: title("", { episodes: 150 }), tvdbSeason: 1 }]);
    else if (kind === 4) add([{ title: title("", { type: "Movie", episodes: 1 }), tvdbSeason: 0 }]);
    else if (kind === 5) {
      add([first]);
      missing.push(title("!!", { year: year + 3 }), title(" S", { year: year + 3 }), title(" 2nd Season"));
    } else if (kind === 6) add([first, { title: title(" II", { year: year + 1 }), tvdbSeason: 2 }]);
    else add([first]);
  }
  return { series, titles: series.flatMap(({ seasons }) => seasons.map(({ title }) => title)), missing };
}

const two = (number: number) => String(number).padStart(2, "0");
const hex = (roll: Dice) => Array.from({ length: 8 }, () => "0123456789ABCDEF"[roll(16)]).join("");

type Layout = (series: Series, season: Season, episode: number, roll: Dice) => string;

const beforeOf = ({ seasons }: Series, { title, tvdbSeason }: Season, isWhole: boolean) =>
  seasons
    .filter((one) => isWhole || one.tvdbSeason === tvdbSeason)
    .slice(
      0,
      seasons
        .filter((one) => isWhole || one.tvdbSeason === tvdbSeason)
        .findIndex((one) => one.title === title),
    )
    .reduce((sum, one) => sum + one.title.episodes, 0);

const layouts: Record<string, Layout> = {
  flat: (_series, { title }, episode, roll) =>
    title.type === "Movie"
      ? `[Subs] ${title.name} (${title.year}) [1080p].mkv`
      : `[Subs] ${title.name} - ${two(episode)} (1080p) [${hex(roll)}].mkv`,
  "folder per season": ({ name }, { title, tvdbSeason }, episode) =>
    title.type === "Movie"
      ? `${name} (${title.year})/${name}.mkv`
      : `${name}/${title.name.includes("Part 2") ? "Part 2/" : `Season ${tvdbSeason}/`}${title.name.includes("Part 2") ? title.name : name} - S${two(tvdbSeason)}E${two(episode)}.mkv`,
  "TVDB seasons": (series, season, episode, roll) =>
    season.title.type === "Movie"
      ? `${series.name} (${season.title.year}) {tvdb-${series.tvdbId}}/${series.name}.mkv`
      : `${series.name} (${series.seasons[0]?.title.year}) {tvdb-${series.tvdbId}}/Season ${two(season.tvdbSeason)}/${series.name} - S${two(season.tvdbSeason)}E${two(episode + beforeOf(series, season, false))} - The ${generatedName(roll(1000))} WEBDL-1080p.mkv`,
  "absolute numbers": (series, season, episode) =>
    season.title.type === "Movie"
      ? `${season.title.name}/${season.title.name} ${season.title.year} 720p BluRay x264.mkv`
      : series.isAbsolute
        ? `${series.name}/${series.name} - ${String(episode + beforeOf(series, season, true)).padStart(3, "0")}.mkv`
        : `${season.title.name}/${season.title.name} - ${String(episode).padStart(3, "0")}.mkv`,
  chaos: (_series, { title }, episode, roll) => chaos(title, episode, roll),
};

function chaos({ name, english, type, year }: Title, episode: number, roll: Dice): string {
  const number = two(episode);
  if (type === "Movie")
    return (
      [
        `${name.replaceAll(" ", ".")}.${year}.1080p.BluRay.x264-GRP.mkv`,
        `[Grp] ${name} (BD 1080p) [${hex(roll)}].mkv`,
      ][roll(2)] ?? ""
    );
  const shapes = [
    `[Group_A]_${name.replaceAll(" ", "_")}_-_${number}v2_[720p][${hex(roll)}].mkv`,
    `${name.replaceAll(" ", ".")}.E${number}.1080p.WEB-DL.AAC2.0.H.264-GRP.mkv`,
    `[Grp][${name}][${number}][1080p][x265].mp4`,
    `[Grp&Other] ${name} - ${number} [WebRip 1080p HEVC-10bit AAC ASSx2].mkv`,
    `${name} Episode ${number}.mp4`,
    `${name.toLowerCase()}/${number}.mkv`,
    `${name} [BD]/${number} - ${generatedName(roll(1000))}.mkv`,
    `${name} 第${number}話.mkv`,
    `[Grp] ${english} - ${number} (BD 1920x1080 x264 FLAC) [${hex(roll)}].mkv`,
    `${name.replace(/ no /, " No ").replace("shi", "si")} - ${number} [DVD].avi`,
    `${name} #${number}.webm`,
    `[Grp] ${name} ${number} END [720p].mkv`,
  ];
  return shapes[roll(shapes.length)] ?? "";
}

/** Files that folders contain beside the episodes of the catalog. */
function others(layout: string, missing: readonly Title[], series: Series, roll: Dice): TreeFilm[] {
  const title = missing[roll(missing.length)];
  const { name } = series;
  return [
    { path: `${name}/Extras/${name} - NCOP${1 + roll(3)}.mkv`, malId: null, episode: null, isExtra: true },
    {
      path: `${layout === "flat" ? "" : `${name} (halves)/`}${name} - ${two(1 + roll(12))}.5 [720p].mkv`,
      malId: null,
      episode: null,
    },
    ...(title
      ? [
          {
            path: `${title.name} ${layout}/[Grp] ${title.name} - ${two(1 + roll(12))}.mkv`,
            malId: null,
            episode: null,
          },
        ]
      : []),
  ];
}

/** Generates about `count` films in each layout. */
export function generateTrees(count: number): { titles: Fields[]; trees: Record<string, TreeFilm[]> } {
  const { series, titles, missing } = generateSeries();
  const roll = dice(count);
  const trees = Object.entries(layouts).map(([name, layout]) => {
    const films = new Map<string, TreeFilm>();
    const add = (film: TreeFilm) => films.set(film.path, film);
    for (let step = 0; films.size < count; step++) {
      const one = series[(step * 7) % series.length];
      const season = one?.seasons[roll(one.seasons.length)];
      if (!one || !season) continue;
      const { malId, type, episodes } = season.title;
      const begin = 1 + roll(episodes);
      for (let episode = begin; episode <= Math.min(episodes, begin + 3); episode++)
        add({ path: layout(one, season, episode, roll), malId, episode: type === "Movie" ? null : episode });
      if (step % 10 === 0) for (const film of others(name, missing, one, roll)) add(film);
    }
    return [name, [...films.values()]];
  });
  const fields = series.flatMap(({ tvdbId, seasons }) =>
    seasons.map(
      ({ title: { malId, name, english, type, episodes, year }, tvdbSeason }, index): Fields => ({
        kind: "title",
        mal_id: malId,
        title: name,
        title_english: english,
        type,
        episodes,
        year,
        aired_from: `${year}-0${1 + index * 6}-01T00:00:00Z`,
        external_ids: [`tvdb:${tvdbId}:${tvdbSeason}`],
      }),
    ),
  );
  if (fields.length !== titles.length) throw new Error("a title is missing");
  return { titles: fields, trees: Object.fromEntries(trees) };
}
