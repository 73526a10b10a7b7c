import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { findBrowser } from "./browser.mjs";
import { prepare, run, say } from "./prepare.mjs";

/**
 * `npm test`: unit tests, integration tests and journeys against the production build, counted in one line.
 * `npm test -- integration` runs only those.
 */

const downloadMs = 60_000;
const results = "build/tests/results.json";

const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : ["unit", "integration", "e2e"];

await prepare();
const hasJourneys = wanted.includes("e2e");
const browser = hasJourneys && ((await findBrowser()) ?? (await downloadBrowser()));
const counts = await runVitest(wanted.filter((name) => name !== "e2e" || browser));
if (hasJourneys && !browser) {
  say(
    "The journeys were not run: there is no browser. Install Chromium or Chrome, or type: npx playwright install chromium",
  );
  if (process.env.CI === "1") counts.failed += 1;
}
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ""}`,
);
process.exit(counts.failed > 0 ? 1 : 0);

async function downloadBrowser() {
  say(`No Chromium or Chrome here; downloading Playwright's own (${downloadMs / 1000} s at most) …`);
  await run(process.execPath, ["node_modules/playwright/cli.js", "install", "chromium"], {
    limitMs: downloadMs,
  });
  return findBrowser();
}

async function runVitest(projects) {
  if (projects.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  rmSync(results, { force: true });
  mkdirSync("build/tests", { recursive: true });
  const options = [
    ...projects.flatMap((name) => ["--project", name]),
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${results}`],
  ];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...options], {
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return count(code);
}

/** A file that did not even load counts as one failure, and so does whatever else made vitest unhappy. */
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
