import { cpus } from "node:os";
import setup from "../support/setup/fresh-build.ts";

/** Runs every `*.bench.ts` of this folder, or those whose name holds the word given, and prints what they measured. */

/** `ratio` where it was measured as such, `against` where it is that of two medians. */
export type Row = { what: string; value: number; unit: string; against?: number; ratio?: number };
export type Bench = { title: string; run(): Promise<Row[]> };

const found = import.meta.glob<{ default: Bench }>("./*/*.bench.ts");

async function main([word = ""]: string[]) {
  setup();
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${cpus().length} cores`);
  for (const [file, load] of Object.entries(found).sort()) {
    if (!file.includes(word)) continue;
    const { title, run } = (await load()).default;
    console.log(`\n## ${title}\n`);
    print(await run());
  }
}

function print(rows: Row[]) {
  const times = ({ value, against, ratio = value / (against ?? Number.NaN) }: Row) =>
    Number.isNaN(ratio) ? "" : `${ratio.toFixed(2)} ×`;
  const digits = (value: number) => (value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString("en"));
  const lines = [
    ["", "median", "", "to the bare one"],
    ["---", "---:", "---", "---:"],
    ...rows.map((row) => [row.what, digits(row.value), row.unit, times(row)]),
  ];
  for (const cells of lines) console.log(`| ${cells.join(" | ")} |`);
}

await main(process.argv.slice(2));
