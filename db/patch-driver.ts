import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { applyDiff, readDiff } from "./unified-diff.ts";

const patch = new URL("postgres.patch", import.meta.url);

/** The server bundle has to contain these packages: Node would load them from node_modules, without the patch. */
export const patchedPackages = ["postgres"] as const;

const installedDriver = new URL("../node_modules/postgres/", import.meta.url);

/** Applies postgres.patch to the driver while Vite reads it, for the build and for development. */
export function patchDriver(driver = installedDriver): Plugin {
  const diffs = readDiff(readFileSync(patch, "utf8"));
  return {
    name: "engawa:patch-driver",
    enforce: "pre",
    // Node loads a package outside the bundle from node_modules, without the patch.
    config: () => ({ environments: { ssr: { resolve: { noExternal: [...patchedPackages] } } } }),
    // Checks the whole patch first. If a new version renames a file, `transform` never sees that file and its repairs
    // would be skipped silently.
    buildStart() {
      try {
        for (const diff of diffs) applyDiff(readFileSync(new URL(diff.path, driver), "utf8"), diff);
      } catch (error) {
        const { version } = JSON.parse(readFileSync(new URL("package.json", driver), "utf8"));
        this.error(
          `db/postgres.patch does not fit the installed postgres ${version}: ${(error as Error).message}. ` +
            "Install the version that the patch names in its first line, or renew the patch as its preamble says.",
        );
      }
    },
    transform: {
      filter: { id: /\/node_modules\/postgres\// },
      handler(source, id) {
        const [, path] = /\/node_modules\/postgres\/([^?]+)/.exec(id) ?? [];
        // The package has two more copies of its source, cjs/ and cf/. The patch does not repair them.
        if (!path?.startsWith("src/"))
          this.error(`db/postgres.patch repairs the driver's src/, but the bundle takes ${path}.`);
        const diff = diffs.find((diff) => diff.path === path);
        return diff && { code: applyDiff(source, diff), map: null };
      },
    },
  };
}
