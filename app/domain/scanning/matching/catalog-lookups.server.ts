import {
  countTitles,
  findTitlesHolding,
  findTitlesNamed,
  findTitlesWithIds,
  listNamesOf,
  listRelations,
  listTitlesById,
  type NamedTitle,
  suggestTitles,
} from "#app/domain/catalog/catalog.server.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import type { FilmReading } from "../names/film-name.ts";
import type { FilmId } from "../names/id-tags.ts";
import type { FolderFacts } from "../names/judge.ts";
import { partNames, seasonNames, splitNumber, splitSeason } from "../names/season-words.ts";

export type Sequel = Pick<NamedTitle, "malId" | "title" | "episodes" | "type">;

/** The catalog to query, and the known facts about a film. */
export type CatalogQuery = { known: FolderFacts; catalog: CatalogLookups };
export type FilmQuery = CatalogQuery & { readings: readonly FilmReading[] };

const minLargeCatalog = 15_000;

/** Caches catalog queries for one scan, since the films of a folder need the same ones. */
export function catalogLookups() {
  const known = new Map<string, NamedTitle[]>();
  const withIds = once((ids: string) => findTitlesWithIds(JSON.parse(ids) as FilmId[], catalogKeeper));
  const relationsOf = once((malId: number) => listRelations(malId, catalogKeeper));
  const isLarge = once(async () => (await countTitles({}, catalogKeeper)) >= minLargeCatalog);
  async function named(names: readonly string[]): Promise<NamedTitle[][]> {
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    for (const [name, titles] of await findTitlesNamed(unknown, catalogKeeper)) known.set(name, titles);
    return names.map((name) => known.get(name) ?? []);
  }
  /** Without relations, the first of the names that leads to exactly one title of the same type decides. */
  async function neighborOf(
    { malId, type }: Sequel,
    wanted: "sequel" | "prequel",
    names: readonly (readonly string[])[],
  ): Promise<Sequel | null> {
    const relations = await relationsOf(malId);
    const related = relations.flatMap(({ relation, title }) => (relation === wanted && title ? [title] : []));
    const choices: Sequel[][] =
      related.length > 0
        ? [related]
        : await Promise.all(names.map(async (some) => (await named(some)).flat()));
    for (const titles of choices) {
      const [one, ...more] = titles.filter((title) => title.malId !== malId && title.type === type);
      if (one) return more.every((other) => other.malId === one.malId) ? one : null;
    }
    return null;
  }
  return {
    /** The titles for each name, in the order of the names. */
    named,
    similar: once(async (name: string) =>
      (await suggestTitles(name, catalogKeeper)).suggestions.map(
        ({ title, matched }): NamedTitle => ({ ...title, alias: matched, kind: "title" }),
      ),
    ),
    /** Null if too many titles contain these words. */
    holding: once((name: string) => findTitlesHolding(name, catalogKeeper)),
    namesOf: once((malId: number) => listNamesOf([malId])),
    withIds: (ids: readonly FilmId[]) => withIds(JSON.stringify(ids)),
    titleOf: once(async (malId: number) => (await listTitlesById([malId], catalogKeeper))[0] ?? null),
    /** The sequel of the same type, if there is exactly one. Without relations, the title named as the next season. */
    sequelOf: (title: Sequel) => neighborOf(title, "sequel", namesOfSeasonAfter(title.title)),
    /** The prequel of the same type, if there is exactly one. Without relations, the title named as the season before. */
    prequelOf: (title: Sequel) => neighborOf(title, "prequel", namesOfSeasonBefore(title.title)),
    /** True if the catalog is so large that a missing title is unlikely to be a well-known one. */
    isLarge: () => isLarge(""),
  };
}

export type CatalogLookups = ReturnType<typeof catalogLookups>;

/** The suffixes that catalogs add to tell two titles with the same name apart. */
export const namesakeMark = /\s+(?:\((?:TV|\d{4})\)|1st Season)$/i;

/** `Show II`, `Show 2` and `Show 2nd Season`. The first season has no number in its name. */
function seasonOf(name: string) {
  const plain = name.replace(namesakeMark, "");
  const { title, season } = splitSeason(plain);
  return season === null ? (splitNumber(plain) ?? { title: plain, season: 1 }) : { title, season };
}

/** The second part of a season comes before the next season. */
function namesOfSeasonAfter(name: string): string[][] {
  const { title, season } = seasonOf(name);
  return [[...partNames(name, 2), ...seasonNames(name, 2)], seasonNames(title, season + 1)];
}

function namesOfSeasonBefore(name: string): string[][] {
  const { title, season } = seasonOf(name);
  if (season < 2) return [];
  return [season === 2 ? [title, ...seasonNames(title, 1)] : seasonNames(title, season - 1)];
}

function once<Key, Value>(ask: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const answers = new Map<Key, Promise<Value>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}
