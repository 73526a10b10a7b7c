import { expect, test } from "vitest";
import { createFailure, type FailureReason } from "#app/routes/watch/player/state/play-failure.ts";

const reasons = ["offline", "expired", "missing", "unsupported", "limited", "refused", "slow"] as const;

test.each(reasons satisfies readonly FailureReason[])(
  "the text for %s mentions no other source, because the player offers other sources by name",
  (reason) => {
    const { text } = createFailure(reason);
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(text).not.toMatch(/\b(other|another|different)\b/i);
  },
);
