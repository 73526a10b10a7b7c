import { withTransaction } from "#db/client.server.ts";
import { type ExternalId, formatExternalId } from "../external-ids/external-ids.ts";
import type { IdsRecord } from "./records.ts";
import { findTitlesByIds, type IdsByTitle } from "./write-ids.server.ts";

/**
 * The ids records of one import, until its end. A mapping names a title in several records when another site splits it,
 * and only all of them together say which ids it has.
 */
export class CollectedIds {
  readonly #byMalId = new Map<number, ExternalId[]>();
  readonly #byOtherId = new Map<string, { of: ExternalId; ids: ExternalId[] }>();

  add({ malId, of, externalIds }: IdsRecord) {
    if (malId !== null) addTo(this.#byMalId, malId, externalIds);
    else if (of !== null) {
      const key = keyOf(of);
      const { ids } = this.#byOtherId.get(key) ?? { ids: [] };
      this.#byOtherId.set(key, { of, ids: [...ids, ...externalIds] });
    }
  }

  /** `unknown` counts the records that name a title by an id that no title has. */
  async byTitle(): Promise<{ ids: IdsByTitle; unknown: number }> {
    const named = [...this.#byOtherId.values()];
    const titleOf = await withTransaction((transaction) =>
      findTitlesByIds(
        transaction,
        named.map(({ of }) => of),
      ),
    );
    let unknown = 0;
    for (const { of, ids } of named) {
      const malId = titleOf.get(keyOf(of));
      if (malId === undefined) unknown += 1;
      else addTo(this.#byMalId, malId, ids);
    }
    return { ids: this.#byMalId, unknown };
  }
}

const keyOf = (id: ExternalId) => formatExternalId({ ...id, season: null });

function addTo(all: Map<number, ExternalId[]>, malId: number, ids: readonly ExternalId[]) {
  const byKey = new Map([...(all.get(malId) ?? []), ...ids].map((id) => [keyOf(id), id]));
  all.set(malId, [...byKey.values()]);
}
