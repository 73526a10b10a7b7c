/** Why a film does not play, in words that a viewer can act on. */

export type PlayFailure = { reason: FailureReason; words: string };
export type FailureReason =
  | "offline"
  | "expired"
  | "missing"
  | "unsupported"
  | "limited"
  | "refused"
  | "slow";

const failureTexts: Record<FailureReason, string> = {
  offline: "The source is offline. It may come back; another source may work now.",
  expired: "The link to this source has expired or is not open to us.",
  missing: "This source no longer has the film.",
  unsupported: "Your browser cannot play the format of this source.",
  limited: "Too many requests in a short time. Wait a moment, then try again.",
  refused: "The address of this source is not allowed here.",
  slow: "The source does not answer in time.",
};

export const createFailure = (reason: FailureReason): PlayFailure => ({
  reason,
  words: failureTexts[reason],
});

/** What the proxy says of an upstream, or what a status means when it says nothing. */
export function failureOf(status: number, said: string): PlayFailure {
  const upstream = Number(/answered (\d{3})/.exec(said)?.[1] ?? status);
  if (status === 429) return createFailure("limited");
  if ([401, 403, 410].includes(upstream)) return createFailure("expired");
  if (upstream === 404) return createFailure("missing");
  if (/timed out/i.test(said)) return createFailure("slow");
  if (status === 400) return createFailure("refused");
  return createFailure("offline");
}

const maxAnswerMs = 8000;

/**
 * Asks the address itself, since a video element tells next to nothing; and not the browser's cache, which may still
 * hold the beginning of what has expired.
 */
export async function diagnose(url: string, leaving?: AbortSignal): Promise<PlayFailure> {
  const asking = new AbortController();
  leaving?.addEventListener("abort", () => asking.abort(), { once: true });
  const timer = setTimeout(() => asking.abort("slow"), maxAnswerMs);
  try {
    const response = await fetch(url, {
      headers: { Range: "bytes=0-0" },
      cache: "no-store",
      signal: asking.signal,
    });
    if (response.ok) {
      await response.body?.cancel();
      return createFailure("unsupported");
    }
    const body: unknown = await response.json().catch(() => null);
    const said = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "";
    return failureOf(response.status, said);
  } catch {
    return createFailure(asking.signal.reason === "slow" ? "slow" : "offline");
  } finally {
    clearTimeout(timer);
  }
}
