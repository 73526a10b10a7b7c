import { rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import setup from "#tests/support/setup/fresh-build.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Runs every `*.bench.ts` in the folders beside this file, or those whose path contains the given word, and prints the
 * results. A long benchmark runs only if the word names it.
 */

/** `baseline` is the median to compare with. `ratio` is set if the benchmark measured the ratio itself. */
export type Row = { label: string; value: number; unit: string; baseline?: number; ratio?: number };
export type Bench = { title: string; isLong?: true; run(): Promise<Row[]> };

const found = import.meta.glob<{ default: Bench }>("./*/*.bench.ts");

async function main([word = ""]: string[]) {
  setup();
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${cpus().length} cores`);
  for (const [file, load] of Object.entries(found).sort()) {
    if (!file.includes(word)) continue;
    const { title, isLong, run } = (await load()).default;
    if (isLong && word === "") continue;
    console.log(`\n## ${title}\n`);
    await inTemporaryFolder(async () => print(await run()));
  }
}

/** All temporary folders of the work are made in one, which is removed afterwards. */
async function inTemporaryFolder(work: () => Promise<void>) {
  const [outside, folder] = [tmpdir(), temporaryFolder("bench")];
  process.env.TMPDIR = folder;
  // Whatever a failed benchmark left running may still write to the folder.
  await work().finally(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {}));
  process.env.TMPDIR = outside;
}

function print(rows: Row[]) {
  const times = ({ value, baseline, ratio = value / (baseline ?? Number.NaN) }: Row) =>
    Number.isNaN(ratio) ? "" : `${ratio.toFixed(2)} ×`;
  const digits = (value: number) => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString("en"));
  const lines = [
    ["", "median", "", "ratio to baseline"],
    ["---", "---:", "---", "---:"],
    ...rows.map((row) => [row.label, digits(row.value), row.unit, times(row)]),
  ];
  for (const cells of lines) console.log(`| ${cells.join(" | ")} |`);
}

await main(process.argv.slice(2));
