import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patchedPackages } from "./db/patch-driver.ts";
import { importFromBuild } from "./ops/tested-modules.ts";

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
    // Most tests wait for a database, a browser or a time limit, so the cores have room for two more.
    maxWorkers: Math.min(8, availableParallelism() + 2),
    env: { LOG_LEVEL: "error" },
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.{ts,tsx}"], testTimeout: 60_000 } },
      {
        plugins: [importFromBuild(patchedPackages)],
        test: {
          name: "integration",
          expect: patient,
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: "tests/support/setup/build-and-database.ts",
          setupFiles: ["tests/support/setup/worker.ts"],
          server: { deps: { external: [/\/build\/server\//] } },
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
          globalSetup: "tests/support/setup/fresh-build.ts",
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Several processes and their faults, with nginx and Redis; one file after another, since they measure time.
        plugins: [importFromBuild(patchedPackages)],
        test: {
          name: "cluster",
          include: ["tests/cluster/**/*.test.ts"],
          globalSetup: "tests/support/setup/build-and-database.ts",
          server: { deps: { external: [/\/build\/server\//] } },
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
          globalSetup: "tests/support/setup/fresh-build.ts",
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
