import { z } from "zod";
import {
  type Checkpoint,
  type RawRecord,
  recordsOf,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { parseJson } from "#app/platform/parse-json.ts";
import { seconds } from "#app/platform/units.ts";
import { headerOf } from "#app/platform/upstream/read-body.server.ts";
import type { Feed } from "./chosen-feeds.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import { isWebPage, PacedClient, type PagedReading, textOf } from "./feed-requests.server.ts";
import { findPage, recordPage } from "./feed-runs.server.ts";
import { hasIdOutsideMyAnimeList } from "./ids-outside-myanimelist.ts";

/** Reads the title list of a Jikan v4 server page by page. ETags save downloading unchanged pages. */

/** Jikan allows 60 requests a minute. */
const usualPauseMs = seconds(1.25);
const titlesPerPage = 25;
const maxPages = 10_000;

const pageSchema = z.object({
  data: z.array(z.looseObject({ mal_id: z.unknown() })).max(1000),
  pagination: z.object({ has_next_page: z.boolean() }),
});

export async function* readJikan(
  feed: Feed,
  { position, pauseMs = usualPauseMs, maxMs, onBytes }: PagedReading,
): AsyncGenerator<RawRecord | Checkpoint> {
  const client = new PacedClient(pauseMs, maxMs);
  const seen = new Set<unknown>();
  for (let page = Number(position ?? 1); page <= maxPages; page++) {
    const known = await findPage(feed, page);
    const response = await client.ask(addressOf(feed, page), {
      headers: { "accept-encoding": "gzip", ...(known && { "if-none-match": known.etag }) },
    });
    let isLast = known?.isLast ?? false;
    if (response.status !== 304) {
      const { data, pagination } = await parsePage(textOf(response, onBytes));
      requireNews(data, seen);
      for (const [at, title] of data.entries()) yield* entriesOf(title, `page ${page}, title ${at + 1}`);
      isLast = data.length === 0 || !pagination.has_next_page;
    }
    const etag = response.status === 304 ? known?.etag : headerOf(response.headers, "etag");
    yield { reached: () => recordPage(feed, { page, etag: etag ?? null, isLast }) };
    if (isLast) return;
  }
  throw new FeedFailure(`The server has more than ${maxPages} pages`);
}

function addressOf({ address }: Feed, page: number): string {
  const url = new URL(`${address.replace(/\/+$/, "")}/anime`);
  url.search = new URLSearchParams({
    page: String(page),
    limit: String(titlesPerPage),
    order_by: "mal_id",
    sort: "asc",
  }).toString();
  return url.href;
}

async function parsePage(chunks: AsyncIterable<string>) {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  const page = pageSchema.safeParse(parseJson(text));
  if (page.success) return page.data;
  throw new FeedFailure(
    isWebPage(text)
      ? "The server answered with a web page and not with a page of titles"
      : "The server answered with something else than a page of titles",
  );
}

/** Without this, a server that ignores the page number would be read up to `maxPages`. */
function requireNews(data: readonly { mal_id?: unknown }[], seen: Set<unknown>) {
  const known = seen.size;
  for (const { mal_id } of data) seen.add(mal_id);
  if (data.length > 0 && seen.size === known) throw new FeedFailure("The server repeats its pages");
}

/** Accepts only MyAnimeList titles: other formats could add playable sources. */
function* entriesOf(title: Record<string, unknown>, where: string): Generator<RawRecord> {
  const ofUrl = /myanimelist\.net\/anime\/(\d+)/.exec(String(title.url ?? ""))?.[1];
  if (ofUrl !== undefined && Number(ofUrl) !== title.mal_id)
    return yield { where, rejected: `has the number ${title.mal_id} and the page of ${ofUrl}` };
  for (const one of recordsOf(title, where))
    if ("rejected" in one) yield one;
    else if (one.source !== "jikan") yield { where, rejected: "is not a title of Jikan" };
    else if (hasIdOutsideMyAnimeList(one.record)) yield { where, rejected: "has no number of MyAnimeList" };
    else yield one;
}
