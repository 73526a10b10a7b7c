import { appendFileSync, mkdirSync } from "node:fs";

/**
 * The figures of one run, one JSON object per line. tests/load/run.mjs prints them beside the last ones in
 * docs/benchmarks.md.
 */
const file = "build/tests/figures.ndjson";

/** Records a measured figure. Load tests assert no figure: a person compares it with the last one. */
export function figure(test: string, label: string, value: number, unit: string): void {
  mkdirSync("build/tests", { recursive: true });
  appendFileSync(file, `${JSON.stringify({ test, label, value, unit })}\n`);
  process.stdout.write(`${test}: ${label}: ${Math.round(value * 100) / 100} ${unit}\n`);
}
