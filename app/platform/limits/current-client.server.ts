import { AsyncLocalStorage } from "node:async_hooks";
import { seconds } from "../units.ts";
import { WaitLimit } from "./wait-limit.ts";

/**
 * The total time that a request waits for the database. The request is then answered within ten seconds, even if the
 * network delays each of its statements by seconds.
 */
const maxDatabaseWait = seconds(8);

/**
 * The client whose request the running code works for. Shared resources, such as the database connections, are divided
 * by client. With this context, no function between the request and the query has to pass the client on.
 */
export type CurrentClient = {
  /** The IPv4 address or the IPv6 block, as `ipBlockOf` gives it. */
  readonly ipBlock: string;
  readonly databaseWait: WaitLimit;
  /** Aborts when the client leaves before its answer is sent. */
  readonly signal?: () => AbortSignal;
  /** The account, once a session or an access token has been found. */
  account?: string;
  /** True after an `Overload`. A failure of the request is then answered with 503 instead of 500. */
  metOverload?: boolean;
};

/** Thrown when work cannot be done now, but may be done shortly. The request gets 503 with `Retry-After`. */
export class Overload extends Error {
  override name = "Overload";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    noteOverload();
  }
}

function noteOverload() {
  const client = currentClient();
  if (client) client.metOverload = true;
}

/**
 * Thrown when work gets no turn in time, in most cases because its client has used up its share. It is not logged,
 * because refusals are counted.
 */
export class ShareUsedUp extends Overload {
  override name = "ShareUsedUp";
}

/**
 * True for the answer of a request that failed because of an overload, so that the site is only busy. A route answers
 * every failure with 500.
 */
export const failedInOverload = ({ status }: Response): boolean =>
  status === 500 && currentClient()?.metOverload === true;

/** drizzle wraps the error of a query as its `cause`. */
const isCausedBy = (kind: typeof Overload, error: unknown): boolean =>
  error instanceof kind || (error instanceof Error && isCausedBy(kind, error.cause));

export const isShareUsedUp = (error: unknown): boolean => isCausedBy(ShareUsedUp, error);

/**
 * For work that several requests share: its error was thrown in the context of one of them, or of none, so the others
 * note the overload here.
 */
export function noteFailedWork(error: unknown): void {
  if (isCausedBy(Overload, error)) noteOverload();
}

const storage = new AsyncLocalStorage<CurrentClient | undefined>();

/** Undefined in background work, which belongs to no request. */
export const currentClient = (): CurrentClient | undefined => storage.getStore();

/**
 * Runs a request for its client. The surrounding context may belong to another client: the server often starts a
 * request when another one ends, and still runs in the context of that one.
 */
export async function workFor<Value>(
  ipBlock: string,
  work: () => Promise<Value>,
  signal?: () => AbortSignal,
): Promise<Value> {
  noteActive(ipBlock);
  const databaseWait = new WaitLimit(maxDatabaseWait);
  try {
    return await storage.run({ ipBlock, databaseWait, ...(signal && { signal }) }, work);
  } finally {
    // After this point a long answer's body, or background work of the request, may still use the database without this
    // limit.
    databaseWait.lift();
  }
}

const activeMs = seconds(2);
type Seen = { ipBlock: string; at: number };
let latest: Seen = { ipBlock: "", at: Number.NEGATIVE_INFINITY };
/** The latest request from another address than `latest`. */
let previous: Seen = latest;

function noteActive(ipBlock: string) {
  if (ipBlock !== latest.ipBlock) previous = latest;
  latest = { ipBlock, at: performance.now() };
}

/** True if a client at another address has sent a request to the router within the last two seconds. */
export const hasActiveOthers = (ipBlock: string): boolean =>
  performance.now() - (latest.ipBlock === ipBlock ? previous : latest).at < activeMs;

/**
 * Runs work whose result many requests share, outside any client's context. Otherwise all these requests would wait for
 * the turns of the client that requested it first.
 */
export const workForEverybody = <Value>(work: () => Value): Value => storage.run(undefined, work);

/** For a request that writes thousands of rows. It lifts the request's total limit; each statement keeps its own. */
export const allowLongWork = (): void => currentClient()?.databaseWait.lift();
