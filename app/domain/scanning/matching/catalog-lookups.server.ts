import {
  countTitles,
  findTitlesHolding,
  findTitlesNamed,
  findTitlesWithIds,
  type IdentifiedTitle,
  listNamesOf,
  listRelations,
  listTitlesById,
  type NamedTitle,
  suggestTitles,
} from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import type { FilmReading } from "../names/film-name.ts";
import type { FilmId } from "../names/id-tags.ts";
import type { Known } from "../names/judge.ts";
import { partNames, seasonNames } from "../names/season-words.ts";

/** Caches catalog queries for one scan, since the films of a folder need the same ones. */

export type CatalogLookups = {
  /** The titles for each name, in the order of the names. */
  named: (names: readonly string[]) => Promise<NamedTitle[][]>;
  similar: (name: string) => Promise<NamedTitle[]>;
  /** Null if too many titles contain these words. */
  holding: (name: string) => Promise<NamedTitle[] | null>;
  namesOf: (malId: number) => Promise<string[]>;
  withIds: (ids: readonly FilmId[]) => Promise<IdentifiedTitle[]>;
  titleOf: (malId: number) => Promise<Title | null>;
  /** The sequel of the same type, if there is exactly one. Without relations, the title named as the second season. */
  sequelOf: (title: Sequel) => Promise<Sequel | null>;
  /** True if the catalog is so large that a missing title is unlikely to be a well-known one. */
  isLarge: () => Promise<boolean>;
};

export type Sequel = Pick<NamedTitle, "malId" | "title" | "episodes" | "type">;

/** A film to match: its readings, other known facts about it, and the catalog to query. */
export type AskedFilm = { readings: readonly FilmReading[]; known: Known; catalog: CatalogLookups };

const minLargeCatalog = 15_000;

export function catalogLookups(): CatalogLookups {
  const known = new Map<string, NamedTitle[]>();
  const withIds = once((ids: string) => findTitlesWithIds(JSON.parse(ids) as FilmId[], catalogKeeper));
  const relationsOf = once((malId: number) => listRelations(malId, catalogKeeper));
  const isLarge = once(async () => (await countTitles({}, catalogKeeper)) >= minLargeCatalog);
  async function named(names: readonly string[]): Promise<NamedTitle[][]> {
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    for (const [name, titles] of await findTitlesNamed(unknown, catalogKeeper)) known.set(name, titles);
    return names.map((name) => known.get(name) ?? []);
  }
  return {
    named,
    similar: once(async (name: string) =>
      (await suggestTitles(name, catalogKeeper)).map(
        ({ title, matched }): NamedTitle => ({ ...title, alias: matched, kind: "title" }),
      ),
    ),
    holding: once((name: string) => findTitlesHolding(name, catalogKeeper)),
    namesOf: once((malId: number) => listNamesOf([malId])),
    withIds: (ids) => withIds(JSON.stringify(ids)),
    titleOf: once(async (malId: number) => (await listTitlesById([malId], catalogKeeper))[0] ?? null),
    async sequelOf({ malId, title, type }) {
      const relations = await relationsOf(malId);
      const related = relations.flatMap(({ relation, title: other }) =>
        relation === "sequel" && other?.type === type ? [other] : [],
      );
      const next = [...partNames(title, 2), ...seasonNames(title, 2)];
      const sequels: Sequel[] =
        relations.length > 0
          ? related
          : (await named(next)).flat().filter((one) => one.malId !== malId && one.type === type);
      const [sequel] = sequels;
      return sequel && sequels.every((one) => one.malId === sequel.malId) ? sequel : null;
    },
    isLarge: () => isLarge(""),
  };
}

function once<Key, Value>(ask: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const answers = new Map<Key, Promise<Value>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}
