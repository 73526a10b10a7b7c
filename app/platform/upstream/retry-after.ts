import { hours, seconds } from "../units.ts";

export const maxRetryAfterMs = hours(24);

/**
 * Parses `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3). Null if it is missing, unreadable or in the
 * past.
 */
export function retryAfterMs(text: string | null | undefined, now = Date.now()): number | null {
  if (!text) return null;
  const waitMs = /^\d+$/.test(text) ? seconds(Number(text)) : Date.parse(text) - now;
  return waitMs >= 0 ? Math.min(maxRetryAfterMs, waitMs) : null;
}
