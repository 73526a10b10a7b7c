import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The client whose request the running code works for. What is shared by all (the connections of the database) is divided
 * by it, so that no function between the request and the query has to pass it on.
 */
export type CurrentClient = {
  /** The address, or IPv6 block. */
  readonly address: string;
  /** The account, once a session or an access token has been found. */
  account?: string;
  /** True when a share of this client was used up, so that the failure is answered with 503 and not with 500. */
  wasRefused?: boolean;
};

const storage = new AsyncLocalStorage<CurrentClient | undefined>();

/** Undefined in work of the site itself, which no request waits for. */
export const currentClient = (): CurrentClient | undefined => storage.getStore();

/**
 * Answers a request. What ran before says nothing about its client: the server begins with a request when another one ends, and
 * then still runs for that one.
 */
export const workFor = <Value>(address: string, work: () => Value): Value => storage.run({ address }, work);

/** For a value that many requests share: they must not wait for the turns of the client that happened to ask first. */
export const workForEverybody = <Value>(work: () => Value): Value => storage.run(undefined, work);
