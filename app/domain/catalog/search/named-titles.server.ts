import { and, eq, inArray } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titleAliases, titles } from "#db/schema/catalog.ts";
import { withoutSpaces } from "../normalise.ts";
import { type Viewer, visibleTo } from "../visibility/viewer.server.ts";
import { indexKey } from "./index-key.ts";

export type NamedTitle = {
  malId: number;
  title: string;
  type: string | null;
  year: number | null;
  episodes: number | null;
  members: number | null;
  /** The name of it that was asked for, and what kind of name that is. */
  alias: string;
  kind: (typeof titleAliases.$inferSelect)["kind"];
};

/** The titles that have one of these names, apart from case, spaces and punctuation; by the name. */
export async function findTitlesNamed(
  names: readonly string[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, NamedTitle[]>> {
  const keyOf = (name: string) => withoutSpaces(indexKey(name));
  const keys = [...new Set(names.map(keyOf))].filter((key) => key !== "");
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({
      key: titleAliases.joined,
      malId: titles.malId,
      title: titles.title,
      type: titles.type,
      year: titles.year,
      episodes: titles.episodes,
      members: titles.members,
      alias: titleAliases.alias,
      kind: titleAliases.kind,
    })
    .from(titleAliases)
    .innerJoin(titles, eq(titles.malId, titleAliases.malId))
    .where(and(inArray(titleAliases.joined, keys), visibleTo(viewer)));
  return new Map(
    names.map((name) => {
      const wanted = keyOf(name);
      return [name, rows.filter(({ key }) => key === wanted).map(({ key: _, ...title }) => title)];
    }),
  );
}
