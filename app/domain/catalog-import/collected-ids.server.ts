import { type ExternalId, externalIdKey, formatExternalId } from "#app/domain/external-ids/external-ids.ts";
import { db } from "#db/client.server.ts";
import type { TitleSource } from "./records/sources.ts";
import type { IdsRecord } from "./records.ts";
import { findTitlesByIds } from "./write-ids.server.ts";
import type { SourcedTitle } from "./write-titles.server.ts";

type IdsOfSource = {
  byMalId: Map<number, ExternalId[]>;
  byOtherId: Map<string, { of: ExternalId; ids: ExternalId[] }>;
};

/**
 * Collects the ids records of one import until it ends. If another site splits a title, a mapping lists it in several
 * records, and only all of them together give its ids.
 */
export class CollectedIds {
  readonly #bySource = new Map<TitleSource, IdsOfSource>();

  add({ malId, of, externalIds }: IdsRecord, source: TitleSource) {
    const { byMalId, byOtherId } = this.#bySource.get(source) ?? { byMalId: new Map(), byOtherId: new Map() };
    this.#bySource.set(source, { byMalId, byOtherId });
    if (malId !== null) addTo(byMalId, malId, externalIds);
    else if (of !== null) {
      const { ids } = byOtherId.get(externalIdKey(of)) ?? { ids: [] };
      byOtherId.set(externalIdKey(of), { of, ids: [...ids, ...externalIds] });
    }
  }

  /** `unknown` counts the records that refer to a title by an id that no title has. */
  async titles(): Promise<{ titles: SourcedTitle[]; unknown: number }> {
    const titles: SourcedTitle[] = [];
    let unknown = 0;
    for (const [source, { byMalId, byOtherId }] of this.#bySource) {
      const entries = [...byOtherId.values()];
      const titleOf = await findTitlesByIds(
        db,
        entries.map(({ of }) => of),
      );
      for (const { of, ids } of entries) {
        const malId = titleOf.get(externalIdKey(of));
        if (malId === undefined) unknown += 1;
        else addTo(byMalId, malId, ids);
      }
      for (const [malId, ids] of byMalId)
        titles.push({ malId, source, fields: { externalIds: ids.map(formatExternalId) } });
    }
    return { titles, unknown };
  }
}

function addTo(all: Map<number, ExternalId[]>, malId: number, ids: readonly ExternalId[]) {
  const byKey = new Map([...(all.get(malId) ?? []), ...ids].map((id) => [externalIdKey(id), id]));
  all.set(malId, [...byKey.values()]);
}
