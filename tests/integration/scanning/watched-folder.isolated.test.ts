import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const folder = temporaryFolder("watched-folder");
const { folderEventsText, followRoot } = await import("#app/domain/scanning/scan/watched-folder.server.ts");

test("the state of a root says in how many folders changes are noticed, or why in none", async () => {
  mkdirSync(join(folder, "Show", "Season 1"), { recursive: true });
  const follow = (number: number, path: string) =>
    followRoot({
      root: {
        number,
        folder: path,
        isChosen: false,
        read: (action) => action(),
        readPiece: (action) => action(),
      },
      onChange: () => {},
    });
  const [present, gone] = [follow(1, folder), follow(2, join(folder, "gone"))];
  await present.look();
  await expect.poll(() => folderEventsText(1)).toBe("Changes in 3 folders are noticed at once.");
  await gone.look();
  expect(folderEventsText(2)).toBe("Changes are not noticed at once: the folder cannot be read (ENOENT).");
  for (const root of [present, gone]) root.end();
});
