import { z } from "zod";
import {
  type Checkpoint,
  parseRecord,
  type RawRecord,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { findCatalogIdentity } from "#app/domain/catalog-version/catalog-version.server.ts";
import { parseJson } from "#app/platform/parse-json.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hours, mebibytes, seconds } from "#app/platform/units.ts";
import type { Feed } from "./chosen-feeds.server.ts";
import { FeedFailure } from "./feed-failure.ts";
import { isWebPage, PacedClient, type PagedReading, textOf } from "./feed-requests.server.ts";
import { recordCatalogs, recordPosition } from "./feed-runs.server.ts";
import { hasIdOutsideMyAnimeList } from "./ids-outside-myanimelist.ts";

/** Follows the changes of another Engawa's catalog (`share.server.ts`). */

const usualPauseMs = seconds(0.7);
/** Without these limits, a server could send data endlessly. No anime catalog is this large. */
const maxTitles = 200_000;
const maxLines = 20_000_000;
/** The next run continues where this one stops. */
const usualMaxRunMs = hours(2);

export async function* followEngawa(
  feed: Feed,
  { position, pauseMs = usualPauseMs, maxMs, maxRunMs = usualMaxRunMs, onBytes }: PagedReading,
): AsyncGenerator<RawRecord | Checkpoint> {
  const client = new PacedClient(pauseMs, maxMs);
  const limits = new RunLimits(maxRunMs);
  const address = new URL(`${feed.address.replace(/\/+$/, "")}/api/catalog/changes`);
  let since = position ?? "";
  for (;;) {
    address.searchParams.set("since", since);
    const response = await client.ask(address.href, {
      headers: { accept: "application/x-ndjson", "accept-encoding": "gzip" },
      headersOf: (url) => tokenHeader(url, address),
    });
    const answer = new Answer(feed, address);
    for await (const line of linesOf(textOf(response, onBytes))) {
      limits.count(line);
      yield* answer.read(line);
    }
    const { end } = answer;
    if (!end) throw new FeedFailure("The server ended its answer too early");
    if (!end.more) return;
    if (end.since === since) throw new FeedFailure("The server repeats itself");
    if (!answer.hasTitle) throw new FeedFailure("The server says that it has more titles, and sends none");
    since = end.since;
  }
}

/**
 * Stops a run that takes too long or sends too much. All lines count, so a response without titles is stopped as well.
 */
class RunLimits {
  readonly #endsAt: number;
  #titles = 0;
  #lines = 0;

  constructor(maxRunMs: number) {
    this.#endsAt = performance.now() + maxRunMs;
  }

  count({ kind }: Line) {
    if (isOfTitle(kind) && ++this.#titles > maxTitles)
      throw new FeedFailure(`The server has more than ${maxTitles} titles`);
    if (++this.#lines > maxLines) throw new FeedFailure(`The server sends more than ${maxLines} lines`);
    if (performance.now() > this.#endsAt) throw new FeedFailure("The server takes too long");
  }
}

const isOfTitle = (kind: unknown) => kind === "title" || kind === "adult";

/** The token is sent only to the configured origin, never to a redirect target. */
function tokenHeader(url: URL, { origin }: URL): Record<string, string> {
  const token = url.origin === origin ? env.CATALOG_FEED_TOKENS.get(url.host) : undefined;
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

type Line = Record<string, unknown>;
const headLine = z.object({ catalogs: z.array(z.uuid()).max(1000) });
const positionLine = z.object({
  since: z.string().regex(/^[\w.-]{1,200}$/),
  more: z.boolean().default(false),
});

/** Reads the lines of one response. Kinds of lines that this version does not know are skipped. */
class Answer {
  readonly #feed: Feed;
  readonly #address: URL;
  #number = 0;
  hasTitle = false;
  /** The last line of the response. Null if the response was cut off. */
  end: z.output<typeof positionLine> | null = null;

  constructor(feed: Feed, address: URL) {
    this.#feed = feed;
    this.#address = address;
  }

  async *read(line: Line): AsyncGenerator<RawRecord | Checkpoint> {
    this.#number++;
    this.hasTitle ||= isOfTitle(line.kind);
    switch (line.kind) {
      case "changes":
        return await followCatalogs(this.#feed, parsed(headLine, line).catalogs);
      case "position":
      case "end": {
        const position = parsed(positionLine, line);
        yield { reached: () => recordPosition(this.#feed, position.since) };
        if (line.kind === "end") this.end = position;
        return;
      }
      case "title":
      case "adult":
      case "relation":
      case "relations":
      case "episode":
      case "skip":
        yield recordOf(line, `line ${this.#number}`, this.#address);
    }
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, line: Line): z.output<Schema> {
  const result = schema.safeParse(line);
  if (!result.success) throw new FeedFailure("The server answers in a way that this version does not know");
  return result.data;
}

/** If two catalogs followed each other, each would bring back what the other deletes, so cycles are refused. */
async function followCatalogs(feed: Feed, catalogs: readonly string[]) {
  const ownCatalog = await findCatalogIdentity();
  if (ownCatalog !== null && catalogs.includes(ownCatalog))
    throw new FeedFailure(
      "That catalog follows this one, or is a copy of its database, so it cannot be followed",
    );
  await recordCatalogs(feed, catalogs);
}

/** Accepts no playable sources and no fields that are attributed to another source. */
function recordOf({ texts_from: _, ...line }: Line, where: string, address: URL): RawRecord {
  const record = parseRecord({ ...line, ...picturesOf(line, address) });
  if ("rejected" in record) return { where, rejected: record.rejected };
  if (record.kind === "about") return { where, rejected: "is no line of a title" };
  if (hasIdOutsideMyAnimeList(record)) return { where, rejected: "is a title of that installation alone" };
  const known = record.kind === "episode" ? { ...record, description: null, imageUrl: null } : record;
  return { where, source: "engawa", record: known };
}

const addressNames = [
  "image_url",
  "image_webp",
  "image_small_webp",
  "image_large_webp",
  "banner_image",
  "trailer_url",
  "trailer_embed_url",
  "trailer_image_url",
  "url",
];

/** Pictures stored on the other site have a path there, which becomes an absolute URL. */
const picturesOf = (line: Line, { origin }: URL): Line =>
  Object.fromEntries(
    addressNames.flatMap((name) => {
      const value = line[name];
      if (typeof value !== "string" || /^https?:/i.test(value)) return [];
      return [
        [name, value.startsWith("/") && URL.canParse(value, origin) ? new URL(value, origin).href : null],
      ];
    }),
  );

/** No title has a longer line. */
const maxLineLength = mebibytes(1);

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let open = "";
  for await (const chunk of chunks) {
    const lines = (open + chunk).split("\n");
    open = lines.pop() ?? "";
    if (open.length > maxLineLength) throw new FeedFailure("The server sends a line that is no title");
    for (const line of lines) yield parseLine(line);
  }
  // Without this check, a web page of a single line would be reported as an interrupted response.
  if (isWebPage(open)) yield parseLine(open);
}

function parseLine(line: string): Line {
  const value = parseJson(line);
  if (typeof value === "object" && value !== null) return value as Line;
  throw new FeedFailure(
    isWebPage(line)
      ? "The server answered with a web page and not with changes of a catalog"
      : "The server answered with something else than changes of a catalog",
  );
}
