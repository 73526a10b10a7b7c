import { expect, test } from "vitest";
import { matchTrees } from "#tests/support/checks/matched-trees.ts";

await import("#tests/support/site/in-process.ts");
const { proposeSources } = await import("#app/domain/playback/playback.server.ts");

/** A small sample of tests/release/in-process/film-trees.test.ts, which matches thousands of films. */

test("the films of generated folders are matched correctly or left to a person, in each layout", async () => {
  const reports = await matchTrees(24, async (folder) => {
    const proposed = await proposeSources(folder);
    return proposed.ok ? proposed.value.proposals : [];
  });
  for (const [layout, { count, right, sure, wrong, missed }] of Object.entries(reports)) {
    expect(wrong, layout).toEqual([]);
    expect(right, `${layout}: ${missed.join("\n")}`).toBeGreaterThanOrEqual(0.95 * count);
    expect(sure, layout).toBeGreaterThan(0.5 * count);
  }
});
