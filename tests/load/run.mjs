import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * `npm run test:load -- [NAME …] [--write]` runs all load tests, or those whose path begins with a name, one after
 * another, and prints each figure beside the last one in docs/benchmarks.md. `--write` replaces the figures there.
 * `--minutes=60` sets the duration of the tests that run for a given time. Run it on an otherwise idle machine.
 */

const figuresFile = "build/tests/figures.ndjson";
const document = "docs/benchmarks.md";
const begin = "<!-- The table below is written by: npm run test:load -- --write -->\n";
const head = ["Test", "Figure", "Last", "Unit"];

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isWriting = process.argv.includes("--write");
const minutes = process.argv.find((word) => word.startsWith("--minutes="))?.split("=")[1];

rmSync(figuresFile, { force: true });
const paths = names.length > 0 ? names.map((name) => `load/${name}`) : ["load"];
const { status } = spawnSync(process.execPath, ["ops/test.mjs", ...paths], {
  stdio: "inherit",
  env: { ...process.env, ...(minutes && { LOAD_MINUTES: minutes }) },
});

const text = readFileSync(document, "utf8");
const [before, after = ""] = text.split(begin);
const last = readTable(after);
const figures = existsSync(figuresFile)
  ? readFileSync(figuresFile, "utf8").trim().split("\n").filter(Boolean).map(parseFigure)
  : [];
print(figures.map((one) => [one.test, one.label, last.get(nameOf(one))?.value ?? "–", one.value, one.unit]));
if (isWriting) {
  for (const one of figures) last.set(nameOf(one), one);
  writeFileSync(document, before + begin + tableOf([...last.values()]));
  spawnSync("npx", ["biome", "format", "--write", document], { stdio: "inherit" });
}
process.exit(status ?? 1);

function parseFigure(line) {
  const { test, label, value, unit } = JSON.parse(line);
  return { test, label, value: String(Number(value.toPrecision(3))), unit };
}

function nameOf({ test, label }) {
  return `${test} | ${label}`;
}

function readTable(markdown) {
  const rows = markdown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows.map(([test, label, value, unit]) => [nameOf({ test, label }), { test, label, value, unit }]),
  );
}

function tableOf(figures) {
  const rows = [head, head.map(() => "---")].concat(
    figures.map(({ test, label, value, unit }) => [test, label, value, unit]),
  );
  return `${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function print(rows) {
  const all = [["Test", "Figure", "Last", "Now", "Unit"], ...rows];
  const widths = all[0].map((_, at) => Math.max(...all.map((row) => row[at].length)));
  for (const row of all) console.log(row.map((cell, at) => cell.padEnd(widths[at])).join("  "));
}
