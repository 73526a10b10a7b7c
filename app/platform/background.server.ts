import { errorFields, log } from "./log.server.ts";

/** Work that no answer waits for. It ends in the log when it fails, never in an unhandled rejection. */
export function inBackground(what: string, work: Promise<unknown>): void {
  work.catch((error) => log.warn(`${what} failed`, errorFields(error)));
}
