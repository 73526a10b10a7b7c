import { expect, test } from "vitest";
import { createFailure, type FailureReason, failureOf } from "#app/routes/watch/player/state/play-failure.ts";

const reasons = ["offline", "expired", "missing", "unsupported", "limited", "refused", "slow"] as const;

test.each(reasons satisfies readonly FailureReason[])(
  "the text for %s mentions no other source, because the player offers other sources by name",
  (reason) => {
    const { text } = createFailure(reason);
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toMatch(/\b(other|another|different)\b/i);
  },
);

test.each([
  [503, "This video is being converted, once, before it plays: 40 % are done.", "converting"],
  [503, "This video has to wait, because others that are being watched fill the film cache.", "converting"],
  [503, "This part of the film is being converted. Try again shortly.", "converting"],
  [
    507,
    "This video has to be stored once before it plays, but the disk of this site is full.",
    "unsupported",
  ],
  [413, "This video is too large for the film cache of this site.", "unsupported"],
  [503, "The upstream answered 503", "offline"],
] as const)("an answer of %i with “%s” is %s", (status, text, reason) => {
  const failure = failureOf(status, text);
  expect(failure.reason).toBe(reason);
  if (reason !== "offline") expect(failure.text).toContain(text);
  expect(failure.text.endsWith("It begins by itself.")).toBe(reason === "converting");
});
