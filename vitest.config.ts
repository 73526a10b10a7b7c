import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { patchedPackages } from "#db/patch-driver.ts";
import { importFromBuild } from "./ops/tested-modules.ts";
import { ShortFilesFirst } from "./tests/support/setup/short-files-first.ts";

/** A condition that does not become true within three minutes never will: tests pass on a machine ten times slower. */
const expectOptions = { poll: { timeout: 180_000 } };
const testTimeout = 300_000;

// Tests cause warnings on purpose, which would hide the report.
process.env.LOG_LEVEL ??= "error";

// Tests must not read the .env of a developer. Variables of the shell win over that file, and an empty one counts as unset.
for (const [, name = ""] of readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z0-9_]+)=/gm))
  process.env[name] ??= "";

// Tests and their programs write into this folder, which is removed at the end. Other accounts may enter it: the
// embedded database can run under another account.
const temporary = mkdtempSync(join(tmpdir(), "engawa-tests-"));
chmodSync(temporary, 0o755);
for (const name of ["TMPDIR", "TEMP"]) process.env[name] = temporary;
process.on("exit", () => {
  try {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A program that has not ended yet still writes.
  }
});

/** These set the environment or replace modules before they import what they test. */
const isolatedUnitTests = "tests/unit/**/*.isolated.test.{ts,tsx}";
const isolatedIntegrationTests = "tests/integration/**/*.isolated.test.ts";
/** Integration tests that take long or set the environment. Each has a process of its own; .ci/run runs them, `npm test` does not. */
const slowIntegrationTests = "tests/integration/**/*.slow.test.ts";

/** Elsewhere, property tests draw new inputs in each run. */
const drawnInputs = process.env.CI ? ["tests/support/setup/fixed-inputs.ts"] : [];

const integrationTests = (
  name: string,
  options: Pick<
    NonNullable<TestProjectInlineConfiguration["test"]>,
    "env" | "include" | "exclude" | "isolate" | "maxWorkers" | "sequence" | "testTimeout"
  >,
) => ({
  plugins: [importFromBuild(patchedPackages)],
  test: {
    name,
    expect: expectOptions,
    globalSetup: "tests/support/setup/build-and-database.ts",
    setupFiles: ["tests/support/setup/worker.ts", ...drawnInputs],
    server: { deps: { external: [/\/build\/server\//] } },
    pool: "forks" as const,
    testTimeout,
    hookTimeout: testTimeout,
    ...options,
  },
});

/** These import modules of the application besides starting sites. */
const importingKinds = ["cluster", "load", "release"];

/** Tests of sites in processes of their own, in the folder of the same name. */
const siteTests = (
  name: string,
  options: Pick<
    NonNullable<TestProjectInlineConfiguration["test"]>,
    "exclude" | "globalSetup" | "maxWorkers" | "sequence" | "testTimeout"
  >,
) => ({
  plugins: importingKinds.includes(name) ? [importFromBuild(patchedPackages)] : [],
  test: {
    name,
    expect: expectOptions,
    include: [`tests/${name}/**/*.test.ts`],
    server: { deps: { external: [/\/build\/server\//] } },
    pool: "forks" as const,
    testTimeout,
    hookTimeout: testTimeout,
    ...options,
  },
});

/** Vitest demands a group of its own of each project that has another number of workers. */
const workers = (maxWorkers: number, groupOrder: number) => ({ maxWorkers, sequence: { groupOrder } });
/** For tests that often wait: for sites that start, films that play in real time, and time limits. */
const threeWorkers = workers(3, 1);
/** What measures runs alone. */
const oneWorker = workers(1, 2);

/** Load tests that send their requests to the application within the process of the test. */
const inProcessLoad = "tests/load/in-process/**/*.test.ts";
/** Tests before a release that do the same. */
const inProcessRelease = "tests/release/in-process/**/*.test.ts";

export default defineConfig({
  test: {
    retry: 0,
    // Tests often wait for a database or a browser, so one more worker than cores is faster. Two more are not.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    sequence: { sequencer: ShortFilesFirst },
    env: { LOG_LEVEL: "error" },
    projects: [
      {
        // The files of a worker share one module graph, which takes less than half the processor time.
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          exclude: [isolatedUnitTests],
          isolate: false,
          setupFiles: drawnInputs,
          expect: expectOptions,
          testTimeout,
          hookTimeout: testTimeout,
        },
      },
      {
        test: {
          name: "unit-isolated",
          include: [isolatedUnitTests],
          expect: expectOptions,
          testTimeout,
          hookTimeout: testTimeout,
        },
      },
      integrationTests("integration", {
        include: ["tests/integration/**/*.test.ts"],
        exclude: [isolatedIntegrationTests, slowIntegrationTests],
        // Their proxies may reach the servers that tests start.
        env: { ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1" },
        isolate: false,
      }),
      integrationTests("integration-isolated", { include: [isolatedIntegrationTests] }),
      integrationTests("slow", { include: [slowIntegrationTests] }),
      siteTests("e2e", { globalSetup: "tests/support/setup/build-and-site.ts" }),
      siteTests("journeys", { ...threeWorkers, globalSetup: "tests/support/setup/start-shared-site.ts" }),
      siteTests("players", { ...threeWorkers, globalSetup: "tests/support/setup/build-and-site.ts" }),
      siteTests("system", { ...threeWorkers, globalSetup: "tests/support/setup/build-and-site.ts" }),
      siteTests("cluster", { ...threeWorkers, globalSetup: "tests/support/setup/build-and-database.ts" }),
      siteTests("release", {
        ...oneWorker,
        exclude: [inProcessRelease],
        // The shared site is for the journeys that are too long for the gate.
        globalSetup: [
          "tests/support/setup/build-and-database.ts",
          "tests/support/setup/start-shared-site.ts",
        ],
      }),
      integrationTests("release-in-process", {
        ...oneWorker,
        include: [inProcessRelease],
        testTimeout: 600_000,
      }),
      siteTests("load", {
        ...oneWorker,
        exclude: [inProcessLoad],
        globalSetup: ["tests/support/setup/build-and-database.ts", "tests/support/setup/build-and-site.ts"],
        testTimeout: 600_000,
      }),
      integrationTests("load-in-process", { ...oneWorker, include: [inProcessLoad], testTimeout: 600_000 }),
    ],
  },
});
