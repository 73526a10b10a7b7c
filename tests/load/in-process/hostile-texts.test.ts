import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeDrawing } from "#app/domain/images/drawing/drawing-cost.ts";
import { readNames } from "#app/domain/names/names.ts";
import { readFilmName } from "#app/domain/scanning/names/film-name.ts";
import { writeSubtitles } from "#app/media/subtitles/subtitle-text.ts";
import { withMarginsOfTopLines } from "#app/routes/watch/player/tracks/top-lines.ts";
import { figure } from "#tests/load/figures.ts";
import { mainThreadShare, processorMs } from "#tests/load/processor-time.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The processor time for texts that were written to take long. A text of twice the length should take about twice as long. */

const events = "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
const line = (text: string) => `Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,${text}\n`;
const readScript = (text: string) =>
  writeSubtitles({ kind: "subtitles", bytes: Buffer.from(text), format: "ass", form: "vtt" });
const readStyles = (styles: string) => {
  try {
    return judgeDrawing(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><style>${styles}</style></svg>`,
    );
  } catch (error) {
    return error;
  }
};

test.each<[string, (times: number) => unknown]>([
  ["a list of names", (times) => readNames("x_,".repeat(3000 * times), () => undefined)],
  [
    "a script of signs",
    (times) => readScript(events + line("{\\pos(1,1)\\fscx120}Rain").repeat(10_000 * times)),
  ],
  [
    "a script of lines at the top",
    (times) => withMarginsOfTopLines(events + line(`{\\an8}${"{\\b1}x".repeat(500)}`).repeat(250 * times)),
  ],
  [
    "a script of open tags",
    (times) => withMarginsOfTopLines(`${events}Dialogue: ${"{\\a".repeat(100_000 * times)}`),
  ],
  ["the name of a film: dashes", (times) => readFilmName(`${"- ".repeat(5000 * times)}.mp4`)],
  ["the name of a film: brackets", (times) => readFilmName(`${"(".repeat(10_000 * times)}.mp4`)],
  ["the name of a film: numbers", (times) => readFilmName(`${"1 ".repeat(5000 * times)}.mp4`)],
  ["the name of a film: letters", (times) => readFilmName(`${"e".repeat(10_000 * times)}.mp4`)],
  ["a style sheet: one word", (times) => readStyles("a".repeat(1_000_000 * times))],
  ["a style sheet: open comments", (times) => readStyles("/*".repeat(250_000 * times))],
  ["a style sheet: commas", (times) => readStyles(",a".repeat(250_000 * times))],
  ["a style sheet: dashes", (times) => readStyles(`${"a-".repeat(250_000 * times)}{x:y}`)],
])("%s", async (name, read) => {
  for (const times of [1, 2]) {
    const tries = [];
    for (let turn = 0; turn < 3; turn++) tries.push(await processorMs(() => read(times)));
    figure(name, times === 1 ? "as long as in the unit tests" : "twice as long", Math.min(...tries), "ms");
  }
});

test("the main thread while a script of 60,000 signs is read", async ({ task }) => {
  const folder = temporaryFolder("captions");
  process.env.MEDIA_DIR = folder;
  const { request } = await import("#tests/support/site/in-process.ts");
  const { importTitles } = await import("#tests/support/data/import-titles.ts");
  const { createSubtitles, listSubtitles } = await import("#app/domain/playback/playback.server.ts");
  const signs = Array.from({ length: 60_000 }, (_, at) => line(`{\\pos(1,${at})}Rain ${at}`)).join("");
  writeFileSync(join(folder, "long.ass"), events + signs);
  await importTitles([{ mal_id: 1, title: "Show", episodes: 1 }]);
  await createSubtitles({ malId: 1, episode: 1, url: "media:long.ass", language: "en" });
  const [subtitles] = await listSubtitles({ malId: 1, episode: 1 });
  let status = 0;
  const share = await mainThreadShare(async () => {
    const answer = await request(`/captions/${subtitles?.id}.vtt`);
    await answer.text();
    status = answer.status;
  });
  expect(status).toBe(200);
  figure(task.name, "its share of the processor time", 100 * share, "%");
});
