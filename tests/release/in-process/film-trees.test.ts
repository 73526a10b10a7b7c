import { expect, test } from "vitest";
import { matchTrees } from "#tests/support/checks/matched-trees.ts";

await import("#tests/support/site/in-process.ts");
const { proposeSources } = await import("#app/domain/playback/playback.server.ts");

const filmsOfLayout = 600;

test("of 3,000 films of 200 titles in five layouts, 98 % are right, and no sure match is wrong", async () => {
  const reports = Object.entries(
    await matchTrees(filmsOfLayout, async (folder) => {
      const proposed = await proposeSources(folder);
      return proposed.ok ? proposed.value.proposals : [];
    }),
  );
  expect(reports).toHaveLength(5);
  for (const [layout, { count, right, sure, wrong, missed }] of reports) {
    process.stdout.write(
      `${layout}: ${count} films, ${right} right, ${sure} sure, ${wrong.length} wrong and sure\n`,
    );
    expect(wrong, layout).toEqual([]);
    expect(right, `${layout}: ${missed.join("\n")}`).toBeGreaterThanOrEqual(0.98 * count);
  }
});
