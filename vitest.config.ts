import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { mendDriver, mended } from "./db/mend-driver.ts";

/** A busy machine may take a while; what never comes still fails. */
const patient = { poll: { timeout: 10_000 } };

// Tests provoke warnings on purpose; what fails shows in the report.
process.env.LOG_LEVEL ??= "error";

// An operator's .env is not for tests: the shell wins over that file, and an empty variable counts as unset.
for (const [, name = ""] of readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z0-9_]+)=/gm))
  process.env[name] ??= "";

export default defineConfig({
  test: {
    retry: 0,
    // Most tests wait for a database or a browser, so the cores have room for one more.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    env: { LOG_LEVEL: "error" },
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.{ts,tsx}"], testTimeout: 60_000 } },
      {
        plugins: [mendDriver],
        test: {
          name: "integration",
          expect: patient,
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: ["tests/support/fresh-build.ts", "tests/support/template-database.ts"],
          setupFiles: ["tests/support/worker.ts"],
          server: { deps: { inline: mended } },
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          expect: patient,
          include: ["tests/e2e/**/*.test.ts"],
          globalSetup: "tests/support/fresh-build.ts",
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Several processes and their faults, with nginx and Redis; one file after another, since they measure time.
        plugins: [mendDriver],
        test: {
          name: "cluster",
          include: ["tests/cluster/**/*.test.ts"],
          globalSetup: ["tests/support/fresh-build.ts", "tests/support/template-database.ts"],
          server: { deps: { inline: mended } },
          pool: "forks",
          maxWorkers: 1,
          expect: { poll: { ...patient.poll, interval: 20 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // What needs programs that not every machine has; .ci/run installs them.
        test: {
          name: "ci",
          expect: patient,
          include: ["tests/ci/**/*.test.ts"],
          globalSetup: "tests/support/fresh-build.ts",
          pool: "forks",
          // Films play here, and a film has its own clock.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
