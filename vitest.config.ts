import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { patchedPackages } from "./db/patch-driver.ts";
import { importFromBuild } from "./ops/tested-modules.ts";

/** A busy machine needs more than the default second until a polled condition is true. */
const expectOptions = { poll: { timeout: 10_000 } };

// Tests cause warnings on purpose, which would hide the report.
process.env.LOG_LEVEL ??= "error";

// Tests must not read the .env of a developer. Variables of the shell win over that file, and an empty one counts as unset.
for (const [, name = ""] of readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z0-9_]+)=/gm))
  process.env[name] ??= "";

/** These set the environment or replace modules before they import what they test. */
const isolatedUnitTests = "tests/unit/**/*.isolated.test.{ts,tsx}";
const isolatedIntegrationTests = "tests/integration/**/*.isolated.test.ts";
/** Integration tests that take long or load the machine, which .ci/run runs and `npm test` does not. */
const slowIntegrationTests = "tests/ci/integration/**/*.test.ts";

const integrationTests = (
  name: string,
  options: Pick<
    NonNullable<TestProjectInlineConfiguration["test"]>,
    "include" | "exclude" | "isolate" | "maxWorkers" | "sequence"
  >,
) => ({
  plugins: [importFromBuild(patchedPackages)],
  test: {
    name,
    expect: expectOptions,
    globalSetup: "tests/support/setup/build-and-database.ts",
    setupFiles: ["tests/support/setup/worker.ts"],
    server: { deps: { external: [/\/build\/server\//] } },
    pool: "forks" as const,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    ...options,
  },
});

export default defineConfig({
  test: {
    retry: 0,
    // Most tests wait for a database, a browser or a time limit, so two more workers than cores are faster.
    maxWorkers: Math.min(8, availableParallelism() + 2),
    env: { LOG_LEVEL: "error" },
    projects: [
      {
        // The files of a worker share one module graph, which takes less than half the processor time.
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          exclude: [isolatedUnitTests],
          isolate: false,
          expect: expectOptions,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "unit-isolated",
          include: [isolatedUnitTests],
          expect: expectOptions,
          testTimeout: 60_000,
        },
      },
      integrationTests("integration", {
        include: ["tests/integration/**/*.test.ts"],
        exclude: [isolatedIntegrationTests],
        isolate: false,
      }),
      integrationTests("integration-isolated", { include: [isolatedIntegrationTests] }),
      {
        test: {
          name: "e2e",
          expect: expectOptions,
          include: ["tests/e2e/**/*.test.ts"],
          globalSetup: "tests/support/setup/build-and-site.ts",
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Tests with several processes, nginx and Redis. Files run one after another, because the tests measure time.
        plugins: [importFromBuild(patchedPackages)],
        test: {
          name: "cluster",
          include: ["tests/cluster/**/*.test.ts"],
          globalSetup: "tests/support/setup/build-and-database.ts",
          server: { deps: { external: [/\/build\/server\//] } },
          pool: "forks",
          maxWorkers: 1,
          expect: { poll: { ...expectOptions.poll, interval: 20 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Tests that need programs which not every machine has. .ci/run installs them.
        test: {
          name: "ci",
          expect: expectOptions,
          include: ["tests/ci/**/*.test.ts"],
          exclude: [slowIntegrationTests],
          globalSetup: "tests/support/setup/build-and-site.ts",
          pool: "forks",
          // Films play in real time, so a busy machine would make these tests fail.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      integrationTests("ci-integration", {
        include: [slowIntegrationTests],
        maxWorkers: 2,
        // Vitest demands it of a project with another number of workers.
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
