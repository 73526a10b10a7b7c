import { isShareUsedUp, noteFailedWork } from "#app/platform/limits/current-client.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";

/**
 * Logs why a request failed. Skips requests refused because the client used up its share: that is no failure of the
 * site and is counted elsewhere.
 */
export function logFailure(message: string, error: unknown, fields: Record<string, string> = {}): void {
  noteFailedWork(error);
  if (!isShareUsedUp(error)) log.error(message, { ...fields, ...errorFields(error) });
}
