import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { findBrowser } from "./browser.mjs";
import { fail, prepare, run, say } from "./prepare.mjs";

/**
 * `npm test` runs the unit, integration and browser tests (e2e) against the production build and prints their counts in one
 * line. `npm test -- integration` runs only one kind, `npm test -- integration/library/list-edits` one file or folder.
 */

const downloadMs = 60_000;
const results = "build/tests/results.json";
/** The projects of vitest.config.ts that run each kind. */
const projectsOf = {
  unit: ["unit", "unit-isolated"],
  integration: ["integration", "integration-isolated"],
  e2e: ["e2e"],
  slow: ["slow"],
  journeys: ["journeys"],
  players: ["players"],
  system: ["system"],
  cluster: ["cluster"],
  load: ["load", "load-in-process"],
  release: ["release", "release-in-process"],
};
const kinds = Object.keys(projectsOf);
const quickKinds = ["unit", "integration", "e2e"];

const requested = process.argv.slice(2).map(asPath);
const wanted = requested.length > 0 ? requested : quickKinds;
const unknown = wanted.find((path) => !kinds.includes(kindOf(path)));
if (unknown !== undefined) fail(`There are no tests in tests/${unknown}. Choose from: ${kinds.join(", ")}.`);

const needsBuild = wanted.some((path) => kindOf(path) !== "unit");
if (!needsBuild) say("Unit tests run from the sources and need no build.");
await prepare({ build: needsBuild });
const isBrowserTest = (path) => kindOf(path) === "e2e";
const hasBrowserTests = wanted.some(isBrowserTest);
const browser = hasBrowserTests && ((await findBrowser()) ?? (await downloadBrowser()));
const counts = await runVitest(wanted.filter((path) => !isBrowserTest(path) || browser));
if (hasBrowserTests && !browser) {
  say(
    "The browser tests (e2e) did not run, because no browser was found. Install Chromium or Chrome, or run: npx playwright install chromium",
  );
  if (process.env.CI === "1") counts.failed += 1;
}
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ""}`,
);
process.exit(counts.failed > 0 ? 1 : 0);

/**
 * Accepts `tests/unit/x.test.ts`, which a shell completes, and `unit/x`. The slow integration tests are in the same
 * folders: `slow/films` and `integration/films/film-door.slow.test.ts` both name slow tests.
 */
function asPath(argument) {
  const path = argument.replace(/^(?:\.\/)?tests\//, "").replace(/\/$/, "");
  return path.includes(".slow") ? path.replace(/^integration\//, "slow/") : path;
}

function kindOf(path) {
  return path.split("/")[0];
}

function filterOf(path) {
  const file = `tests/${path.replace(/^slow(?=\/|$)/, "integration")}`;
  return path.includes("/") ? file : `${file}/`;
}

async function downloadBrowser() {
  say(`No Chromium or Chrome was found. Downloading Playwright's own (for at most ${downloadMs / 1000} s) …`);
  await run(process.execPath, ["node_modules/playwright/cli.js", "install", "chromium"], {
    limitMs: downloadMs,
  });
  return findBrowser();
}

async function runVitest(paths) {
  if (paths.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  rmSync(results, { force: true });
  mkdirSync("build/tests", { recursive: true });
  const options = [
    ...new Set(paths.flatMap((path) => projectsOf[kindOf(path)].map((name) => `--project=${name}`))),
    ...paths.map(filterOf),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}`,
  ];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...options], {
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return count(code);
}

/** A file that did not load counts as one failure, and so does an exit code other than 0 without a failed test. */
function count(code) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(results, "utf8"),
    );
    const unloaded = testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some(({ status }) => status === "failed"),
    );
    const failed = numFailedTests + unloaded.length;
    return {
      passed: numPassedTests,
      failed: failed || (code === 0 ? 0 : 1),
      skipped: numPendingTests + numTodoTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
