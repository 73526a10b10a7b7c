import { appendFileSync, mkdirSync } from "node:fs";

/** Keeps a figure for the report that `npm run test:load` prints at its end. */
export function figure(test: string, label: string, value: number, unit: string): void {
  mkdirSync("build/tests", { recursive: true });
  appendFileSync("build/tests/figures.ndjson", `${JSON.stringify({ test, label, value, unit })}\n`);
}
