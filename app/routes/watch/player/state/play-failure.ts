/** The reasons why a film does not play, each with a text that says what the viewer can do. */

export type PlayFailure = { reason: FailureReason; text: string };
export type FailureReason =
  | "offline"
  | "expired"
  | "missing"
  | "unsupported"
  | "limited"
  | "refused"
  | "slow"
  | "converting";

const failureTexts: Record<FailureReason, string> = {
  offline: "The source is offline. Try again later.",
  expired: "The link to this source has expired, or its server does not allow access.",
  missing: "This source no longer has the video.",
  unsupported: "Your browser cannot play the format of this source.",
  limited: "Too many requests in a short time. Wait a moment, then try again.",
  refused: "This site does not allow the address of this source.",
  slow: "The source does not answer in time.",
  converting: "This video is being converted. It begins by itself.",
};

export const createFailure = (reason: FailureReason): PlayFailure => ({
  reason,
  text: failureTexts[reason],
});

const passing: ReadonlySet<FailureReason> = new Set(["converting", "offline", "slow", "limited"]);

/** While the site converts a film, it may restart or be too busy to answer. The player then goes on asking. */
export const mayPass = ({ reason }: PlayFailure): boolean => passing.has(reason);

/** The failure that the proxy's error text names, or that the status means if there is no text. */
export function failureOf(status: number, errorText: string): PlayFailure {
  const upstream = Number(/answered (\d{3})/.exec(errorText)?.[1] ?? status);
  // The error text says how long the queue is. The site keeps the place in the queue while the player asks.
  if (status === 503 && /converted|^This video/.test(errorText))
    return { reason: "converting", text: `${errorText} It begins by itself.` };
  // The site cannot convert the video, and says why.
  if (/^This video/.test(errorText)) return { reason: "unsupported", text: errorText };
  if (status === 429) return createFailure("limited");
  if ([401, 403, 410].includes(upstream)) return createFailure("expired");
  if (upstream === 404) return createFailure("missing");
  if (/timed out/i.test(errorText)) return createFailure("slow");
  if (status === 400) return createFailure("refused");
  return createFailure("offline");
}

const maxAnswerMs = 8000;

/** The reason why an address does not play. If the address answers, the format is the cause. */
export const diagnose = async (url: string, signal?: AbortSignal): Promise<PlayFailure> =>
  (await findFailure(url, signal)) ?? createFailure("unsupported");

/**
 * Requests the URL to find the reason, because the error of a video element does not say it. Bypasses the browser's
 * cache, which may still hold the beginning of a film whose link has expired. Null: the address answers.
 */
export async function findFailure(url: string, signal?: AbortSignal): Promise<PlayFailure | null> {
  const controller = new AbortController();
  signal?.addEventListener("abort", () => controller.abort(), { once: true });
  const timer = setTimeout(() => controller.abort("slow"), maxAnswerMs);
  try {
    const response = await fetch(url, {
      headers: { Range: "bytes=0-0" },
      cache: "no-store",
      signal: controller.signal,
    });
    if (response.ok) {
      await response.body?.cancel();
      return null;
    }
    const body: unknown = await response.json().catch(() => null);
    const errorText = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "";
    return failureOf(response.status, errorText);
  } catch {
    return createFailure(controller.signal.reason === "slow" ? "slow" : "offline");
  } finally {
    clearTimeout(timer);
  }
}
