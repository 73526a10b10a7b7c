import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The client whose request the running code works for. Shared resources, such as the database connections, are divided
 * by client. With this context, no function between the request and the query has to pass the client on.
 */
export type CurrentClient = {
  /** The address, or IPv6 block. */
  readonly address: string;
  /** The account, once a session or an access token has been found. */
  account?: string;
  /** True if a share of this client was used up. The failure is then answered with 503 instead of 500. */
  wasRefused?: boolean;
};

const storage = new AsyncLocalStorage<CurrentClient | undefined>();

/** Undefined in background work, which no request waits for. */
export const currentClient = (): CurrentClient | undefined => storage.getStore();

/**
 * Runs a request for its client. The surrounding context may belong to another client: the server often starts a
 * request when another one ends, and still runs in the context of that one.
 */
export const workFor = <Value>(address: string, work: () => Value): Value => storage.run({ address }, work);

/**
 * Runs work whose result many requests share, without a client. Otherwise all of them would wait for the turns of the
 * client that requested it first.
 */
export const workForEverybody = <Value>(work: () => Value): Value => storage.run(undefined, work);
