import {
  catalogKeeper,
  countTitles,
  findTitlesHolding,
  findTitlesNamed,
  findTitlesWithIds,
  type IdentifiedTitle,
  listNamesOf,
  listRelations,
  type NamedTitle,
  suggestTitles,
} from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import type { FilmReading } from "../names/film-name.ts";
import type { FilmId } from "../names/id-tags.ts";
import type { Known } from "../names/judge.ts";

/** Asks the catalog each question once, since the films of a folder ask the same ones. */

export type CatalogLookups = {
  /** The titles of each name, in the order of the names. */
  named: (names: readonly string[]) => Promise<NamedTitle[][]>;
  similar: (name: string) => Promise<NamedTitle[]>;
  /** Null if too many titles have these words. */
  holding: (name: string) => Promise<NamedTitle[] | null>;
  namesOf: (malId: number) => Promise<string[]>;
  withIds: (ids: readonly FilmId[]) => Promise<IdentifiedTitle[]>;
  /** The one sequel of the same type. */
  sequelOf: (malId: number, type: string | null) => Promise<Title | null>;
  /** True for a catalog that can be taken for complete: a title that it does not have is hardly a known one. */
  isLarge: () => Promise<boolean>;
};

/** One film, what is known of it beside its name, and whom to ask. */
export type AskedFilm = { readings: readonly FilmReading[]; known: Known; catalog: CatalogLookups };

const minLargeCatalog = 15_000;

export function catalogLookups(): CatalogLookups {
  const known = new Map<string, NamedTitle[]>();
  const withIds = once((ids: string) => findTitlesWithIds(JSON.parse(ids) as FilmId[], catalogKeeper));
  const relationsOf = once((malId: number) => listRelations(malId, catalogKeeper));
  const isLarge = once(async () => (await countTitles({}, catalogKeeper)) >= minLargeCatalog);
  return {
    async named(names) {
      const unknown = [...new Set(names)].filter((name) => !known.has(name));
      for (const [name, titles] of await findTitlesNamed(unknown, catalogKeeper)) known.set(name, titles);
      return names.map((name) => known.get(name) ?? []);
    },
    similar: once(async (name: string) =>
      (await suggestTitles(name, catalogKeeper)).map(
        ({ title, matched }): NamedTitle => ({ ...title, alias: matched, kind: "title" }),
      ),
    ),
    holding: once((name: string) => findTitlesHolding(name, catalogKeeper)),
    namesOf: once((malId: number) => listNamesOf([malId])),
    withIds: (ids) => withIds(JSON.stringify(ids)),
    async sequelOf(malId, type) {
      const sequels = (await relationsOf(malId)).flatMap(({ relation, title }) =>
        relation === "sequel" && title?.type === type ? [title] : [],
      );
      return sequels.length === 1 ? (sequels[0] ?? null) : null;
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
