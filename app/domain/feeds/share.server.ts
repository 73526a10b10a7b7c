import {
  type ChangePosition,
  listCachedDataSources,
  openChanges,
  sourceOnWire,
} from "#app/domain/catalog-sharing/catalog-sharing.server.ts";
import { findCatalogIdentity } from "#app/domain/catalog-version/catalog-version.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isSameSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import { listFollowedCatalogs } from "./feed-runs.server.ts";

/** Serves the catalog to other Engawas that follow it, as NDJSON lines (docs/catalog-format.md). */

export const isCatalogShared: boolean = env.CATALOG_SHARE !== "off";

/** `token` is null if the request has none. */
export function mayFollowCatalog(token: string | null): boolean {
  if (env.CATALOG_SHARE !== "token") return isCatalogShared;
  // Hashes have one length. The time of a comparison would otherwise tell the length of the token.
  const hash = secretHash(token ?? "");
  return (env.CATALOG_SHARE_TOKEN ?? []).some((one) => isSameSecret(hash, secretHash(one)));
}

/** A longer response would occupy the database for one client. */
const maxTitles = 1000;
const maxBytes = mebibytes(8);

/**
 * `since` is the position from an earlier response, or empty. A position from another catalog starts from the
 * beginning. `limit` is a parameter for tests.
 */
export async function* shareCatalog(since: string, limit = maxTitles): AsyncGenerator<Uint8Array | string> {
  const identity = await findCatalogIdentity();
  yield line({
    kind: "changes",
    catalogs: identity === null ? [] : [identity, ...(await listFollowedCatalogs())],
    sources: (await listCachedDataSources()).map(sourceOnWire),
  });
  const textOf = ({ version, malId }: ChangePosition) => `${identity}.${version}.${malId}`;
  const begin = positionOf(since, identity) ?? { version: 0, malId: 0 };
  let end = textOf(begin);
  let titles = 0;
  let bytes = 0;
  const nextPage = await openChanges(begin);
  // Joins the lines here, so that they can be freed while the response waits for a slow client.
  const nextBytes = async () => {
    const page = await nextPage();
    if (page === null) return null;
    return {
      titles: page.titles,
      end: textOf(page.end),
      bytes: Buffer.from([...page.lines, { kind: "position", since: textOf(page.end) }].map(line).join("")),
    };
  };
  for (let page = await nextBytes(); page !== null; page = await nextBytes()) {
    if (titles >= limit || bytes >= maxBytes) return yield line({ kind: "end", since: end, more: true });
    yield page.bytes;
    bytes += page.bytes.byteLength;
    titles += page.titles;
    end = page.end;
  }
  yield line({ kind: "end", since: end, more: false });
}

const line = (record: object) => `${JSON.stringify(record)}\n`;

function positionOf(since: string, identity: string | null): ChangePosition | null {
  const [, of, version, malId] = /^([\da-f-]{36})\.(\d{1,15})\.(\d{1,9})$/.exec(since) ?? [];
  return of !== undefined && of === identity ? { version: Number(version), malId: Number(malId) } : null;
}
