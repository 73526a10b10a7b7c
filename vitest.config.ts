import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    retry: 0,
    env: { LOG_LEVEL: "error" },
    projects: [
      { test: { name: "unit", include: ["tests/unit/**/*.test.{ts,tsx}"], testTimeout: 10_000 } },
      {
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: "tests/support/fresh-build.ts",
          pool: "forks",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["tests/e2e/**/*.test.ts"],
          globalSetup: "tests/support/fresh-build.ts",
          pool: "forks",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
