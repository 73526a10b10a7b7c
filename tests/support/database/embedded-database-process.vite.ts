import { defineConfig } from "vite";
import { patchDriver } from "#db/patch-driver.ts";

/**
 * Builds the process that tests of the embedded database start. This is a file of its own because such tests import
 * #db from the build, where the driver's patch is missing.
 */
export default defineConfig({
  logLevel: "error",
  plugins: [patchDriver()],
  build: {
    ssr: "tests/support/database/embedded-database-process.ts",
    outDir: "build/tests",
    emptyOutDir: false,
    target: "node20",
  },
});
