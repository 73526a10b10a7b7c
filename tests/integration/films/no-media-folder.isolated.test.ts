import { expect, test } from "vitest";

/** A site with ffmpeg and a PostgreSQL server of others, whose MEDIA_DIR is not set any more. */

process.env.MEDIA_DIR = "";
// The program is never started, so any existing one will do.
process.env.FFMPEG = process.execPath;
const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { inspectionOf } = await import("#tests/support/data/inspected-films.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");
const { db } = await import("#db/client.server.ts");
const { films } = await import("#db/schema/films.ts");

test("an AVI from before is said to lack the folder, and not memory", async () => {
  await importTitles([{ kind: "title", mal_id: 1, title: "Bebop", episodes: 26 }]);
  await createSource({ malId: 1, episode: 2, url: "media:02.avi" });
  const inspection = { ...inspectionOf({ video: [], audio: [] }), container: "avi" };
  await db.update(films).set({ size: 1, modifiedMs: 1, inspection });
  const operator = await newOperator();
  const page = await (await operator.request("/admin/films")).text();
  expect(page).toContain("The site has no media folder (MEDIA_DIR), and converts nothing without one.");
  expect(page).not.toContain("memory");
});
