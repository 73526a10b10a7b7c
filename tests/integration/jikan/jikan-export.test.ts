import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tool as catalogExport } from "#app/cli/catalog-export.ts";
import { importRecords, readRecords } from "#app/domain/catalog-import/catalog-import.server.ts";
import { exportForJikan } from "#app/wire/jikan/jikan-export.server.ts";
import { jikanAnswer } from "#tests/support/checks/jikan-description.ts";
import { complaintsAgainst } from "#tests/support/checks/schema-checker.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

const jikanTitle = {
  mal_id: 1,
  title: "From Jikan",
  synopsis: "Not ours to give away.",
  genres: [{ mal_id: 1, name: "Action" }],
  images: { jpg: { image_url: "https://pictures.example/1.jpg" }, webp: {} },
  aired: { from: "2020-04-03T00:00:00+00:00", to: null },
};

test("each line is a title of Jikan, without texts and pictures that their source does not allow", async () => {
  await importRecords(readRecords(toChunks([`${JSON.stringify(jikanTitle)}\n`])), {});
  await importTitles([
    { kind: "title", mal_id: 2, title: "Own", synopsis: "Our own words." },
    { kind: "relation", from: 2, to: 1, relation: "sequel" },
  ]);
  const folder = temporaryFolder("jikan-export");
  const file = join(folder, "anime.ndjson");
  expect(await runToolInProcess(catalogExport, ["--jikan", file])).toMatchObject({ code: 0 });
  const text = readFileSync(file, "utf8");
  const [first, second] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ mal_id: 1, synopsis: null, images: { jpg: { image_url: null } } });
  expect(second).toMatchObject({ synopsis: "Our own words.", relations: [{ relation: "Sequel" }] });
  const complaints = complaintsAgainst(jikanAnswer("/anime/{id}/full"), { data: first });
  expect(complaints.filter((one) => !/is not declared$/.test(one))).toEqual([]);
  const sum = createHash("sha256").update(text).digest("hex");
  expect(readFileSync(`${file}.sha256`, "utf8")).toBe(`${sum}  anime.ndjson\n`);
  const sources = JSON.parse(readFileSync(`${file}.sources.json`, "utf8"));
  expect(sources[0]).toEqual(
    expect.objectContaining({ license: expect.any(String), titles: expect.any(Number) }),
  );
});

test("with texts, an import of the export gives the same title", async () => {
  const lines: string[] = [];
  for await (const line of exportForJikan({ withTexts: true })) lines.push(line);
  const [first = ""] = lines;
  expect(JSON.parse(first)).toMatchObject({
    mal_id: 1,
    title: "From Jikan",
    synopsis: "Not ours to give away.",
    images: { jpg: { image_url: "https://pictures.example/1.jpg" } },
  });
  const report = await importRecords(readRecords(toChunks(lines)), {});
  expect(report.rejectedCount).toBe(0);
  const again: string[] = [];
  for await (const line of exportForJikan({ withTexts: true })) again.push(line);
  expect(again).toEqual(lines);
});

async function* toChunks(lines: readonly string[]) {
  yield* lines;
}
