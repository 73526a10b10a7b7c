import { AsyncResource } from "node:async_hooks";
import { Readable } from "node:stream";
import { hasActiveOthers } from "#app/platform/limits/current-client.server.ts";
import { type Hold, holdAlone } from "#app/platform/limits/exclusive.server.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import { bytesOfPages, type NextPage } from "#app/platform/pages.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { jsonPieces } from "#app/platform/process/stored-rows.ts";
import { kibibytes, minutes, seconds } from "#app/platform/units.ts";
import { noStore, privateNoStore } from "../cache-policy.server.ts";
import { type Context, ipBlockIn } from "../context.server.ts";
import { respondWithNode } from "../server/node-body.server.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";
import { fail, refusalResponse } from "./error-response.server.ts";
import { succeed } from "./operation.server.ts";
import type { KeepFile } from "./uploaded-file.server.ts";

/**
 * Sends answers whose size a member or an import decides: exports, whole lists, changes of the catalog. The answer is
 * made piece by piece, each when the socket has taken the previous one. Its memory therefore depends neither on its
 * size nor on the client's speed, and it holds no database connection while it waits. If a piece cannot be made, the
 * connection is closed, so that no client takes the part for the whole.
 */

/** Made page by page. An error before the first piece is answered like an error of any other request. */
type Pieces = AsyncGenerator<Uint8Array | string>;

type RequestInContext = { request: Request; context: Context };
type Download = RequestInContext & {
  type: string;
  name: string;
  account: string;
  /** Called before the first piece is made. Not called for HEAD. */
  onBegin?: () => Promise<void>;
};

/** A shorter answer is sent whole, as one piece. Most lists are shorter. */
const firstPieceBytes = kibibytes(256);
/** Later pieces are joined to this size. Every piece is written to the socket in parts of at most `maxPartBytes`. */
const pieceBytes = kibibytes(64);
const maxPartBytes = kibibytes(256);

/**
 * The heap holds the rows of a page only while the page is made, and this limits how many pages are made at once. One
 * client makes at most two pages of each kind, so that database connections remain for its other requests, and never all
 * of them, so that others do not wait while its queries wait. While others use the site, it pauses after each page. Lists
 * and exports have separate queues.
 */
const total = Math.ceil(memoryPlan.pagesInHeap / 2);
const turnLimits = {
  total,
  perClient: Math.min(2, total - 1),
  perAccount: 1,
  leavesTime: hasActiveOthers,
};
/** A piece after the first waits longer for its turn, because its refusal closes the connection. */
const maxPieceWaitMs = minutes(10);

/** One place for each answer of more than one piece. */
const places = createFairShare({
  total: memoryPlan.longAnswerCount,
  perClient: Math.max(2, Math.ceil(memoryPlan.longAnswerCount / 4)),
});
/** Without this limit, one account could take all places from many addresses. */
const placesOfAccounts = createFairShare({ total: memoryPlan.longAnswerCount, perClient: 3 });

const countRefusal = createRefusalCounter(
  "exports",
  "Too many exports and lists are under way, so some get 503",
);

const turns = {
  export: createTurns(turnLimits, countRefusal),
  list: createTurns(turnLimits, countRefusal),
};

/**
 * Sends a file with an account's data. An account can run one such request at a time; another one is refused at once.
 */
export async function downloadResponse(
  pieces: Pieces,
  { type, name, account, onBegin, request, context }: Download,
): Promise<Response> {
  const headers = new Headers({
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
  applyCachePolicy(headers, privateNoStore, context);
  const hold = await holdAlone(`export ${account}`);
  if (hold === null)
    throw refusalResponse({
      ok: false,
      reason: "overloaded",
      message: "An export of this account is under way. Try again when it has ended",
      waitMs: seconds(10),
    });
  const inTurn = turns.export;
  return respondInPieces(pieces, headers, { request, context, account, hold, inTurn, onBegin });
}

/** Sends NDJSON that is made line by line while it is sent. */
export function linesResponse(lines: Pieces, { request, context }: RequestInContext): Promise<Response> {
  const headers = new Headers({ "Content-Type": "application/x-ndjson" });
  applyCachePolicy(headers, noStore, context);
  return respondInPieces(lines, headers, { request, context, inTurn: turns.export });
}

/** Sends `{ success: true, data }` with a list of an account in `data`, made page by page while it is sent. */
export function listResponse<Row>(
  nextPage: NextPage<Row>,
  toItem: (row: Row) => unknown,
  { account, request, context }: RequestInContext & { account: string },
): Promise<Response> {
  const headers = new Headers({ "Content-Type": "application/json" });
  applyCachePolicy(headers, noStore, context);
  return respondInPieces(successPieces(nextPage, toItem), headers, {
    request,
    context,
    account,
    inTurn: turns.list,
  });
}

async function* successPieces<Row>(nextPage: NextPage<Row>, toItem: (row: Row) => unknown): Pieces {
  yield '{"success":true,"data":[';
  let separator = "";
  yield* bytesOfPages(nextPage, (page) => {
    const text = separator + page.map((row) => JSON.stringify(toItem(row))).join(",");
    separator = ",";
    return text;
  });
  yield "]}";
}

/**
 * Sends `{ success: true, data }` with a report whose rows lie in an uploaded file. It takes no turns,
 * because its rows are small and need no database.
 */
export async function reportResponse(
  data: object,
  { context, keepFile }: { context: Context; keepFile: KeepFile },
): Promise<Response> {
  const headers = new Headers({ "Content-Type": "application/json" });
  applyCachePolicy(headers, noStore, context);
  const pieces = jsonPieces(succeed(data));
  const first = await gather(pieces, firstPieceBytes);
  if (first.isLast) {
    headers.set("Content-Length", String(first.bytes.byteLength));
    return respondWithNode(context, first.bytes, { headers });
  }
  const body = readableOf(
    first.bytes,
    () => gather(pieces, pieceBytes),
    () => pieces.return(undefined),
  );
  keepFile(body);
  return respondWithNode(context, body, { headers });
}

type InTurn = ReturnType<typeof createTurns>;
type SendOptions = RequestInContext & {
  account?: string;
  hold?: Hold;
  inTurn: InTurn;
  onBegin?: Download["onBegin"] | undefined;
};

async function respondInPieces(
  pieces: Pieces,
  headers: Headers,
  { request, context, account, hold, inTurn, onBegin }: SendOptions,
): Promise<Response> {
  const endings: (() => void)[] = hold ? [hold.release] : [];
  const end = () => {
    for (const one of endings) one();
  };
  try {
    const begin = async () => {
      if (request.method !== "HEAD") await onBegin?.();
      return gather(pieces, firstPieceBytes);
    };
    const first = await inTurn(begin);
    if (first.isLast) {
      end();
      headers.set("Content-Length", String(first.bytes.byteLength));
      return respondWithNode(context, first.bytes, { headers });
    }
    if (request.method === "HEAD") {
      await pieces.return(undefined);
      end();
      return new Response(null, { headers });
    }
    const place = places.take(ipBlockIn(context));
    if (place) endings.push(place);
    const placeOfAccount = account === undefined ? () => {} : placesOfAccounts.take(account);
    if (placeOfAccount) endings.push(placeOfAccount);
    if (!place || !placeOfAccount) {
      countRefusal();
      throw fail("overloaded");
    }
    // The socket requests the next piece outside the request's context, so the function is bound to that context.
    const nextPiece = AsyncResource.bind(async () => {
      const next = await inTurn(() => gather(pieces, pieceBytes), { maxWaitMs: maxPieceWaitMs });
      hold?.renew();
      return next;
    });
    const body = readableOf(first.bytes, nextPiece, () => pieces.return(undefined));
    body.once("close", end);
    return respondWithNode(context, body, { headers });
  } catch (error) {
    await pieces.return(undefined);
    end();
    throw error;
  }
}

type Piece = { bytes: Buffer; isLast: boolean };

/** Joins pieces until there are enough bytes for one write. */
async function gather(pieces: Pieces, enough: number): Promise<Piece> {
  const gathered: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { bytes: Buffer.concat(gathered), isLast: true };
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    gathered.push(bytes);
    size += bytes.byteLength;
    if (size >= enough) return { bytes: Buffer.concat(gathered), isLast: false };
  }
}

/** A stream that, unlike `Readable.from`, makes no piece ahead of time. */
function readableOf(first: Buffer, nextPiece: () => Promise<Piece>, end: () => Promise<unknown>): Readable {
  let piece = first;
  let isLast = false;
  const pushPart = (body: Readable) => {
    const part = piece.subarray(0, maxPartBytes);
    piece = piece.subarray(maxPartBytes);
    body.push(part.byteLength > 0 ? part : null);
  };
  return new Readable({
    highWaterMark: 0,
    read() {
      if (piece.byteLength > 0 || isLast) return pushPart(this);
      nextPiece().then(
        (next) => {
          ({ bytes: piece, isLast } = next);
          pushPart(this);
        },
        (error: Error) => this.destroy(error),
      );
    },
    /** A page that is being made is finished before the answer releases its place. */
    destroy(error, callback) {
      const hasEnded = () => callback(error);
      end().then(hasEnded, hasEnded);
    },
  });
}
