import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { applyDiff, readDiff } from "./unified-diff.ts";

/** The server bundle must contain these packages, because Node would load the unpatched ones from node_modules. */
export const patchedPackages = ["postgres"] as const;

/**
 * Applies postgres.patch to the driver, for the build and for development. The package has two more copies of its
 * source, cjs/ and cf/, which the patch does not repair.
 */
export const patchDriver = (installed?: URL): Plugin =>
  patchPackage({ name: "postgres", patch: "db/postgres.patch", source: "src/", installed });

/** In the build only: the development server cannot read CommonJS, so it takes this client from node_modules. */
export const patchClient = (): Plugin => ({
  ...patchPackage({ name: "undici", patch: "app/platform/upstream/undici.patch", source: "" }),
  apply: "build",
});

type Patched = {
  name: string;
  /** The path of the patch in this repository. */
  patch: string;
  /** The folder of the package that the patch repairs. */
  source: string;
  installed?: URL | undefined;
};

const repository = new URL("../", import.meta.url);

/** Applies a patch to a package while Vite reads it. */
function patchPackage({ name, patch, source, installed }: Patched): Plugin {
  const folder = installed ?? new URL(`node_modules/${name}/`, repository);
  const diffs = readDiff(readFileSync(new URL(patch, repository), "utf8"));
  return {
    name: `engawa:patch-${name}`,
    enforce: "pre",
    // Node loads a package outside the bundle from node_modules, without the patch.
    config: () => ({ environments: { ssr: { resolve: { noExternal: [name] } } } }),
    // Checks the whole patch first. If a new version renames a file, `transform` never sees that file and its repairs
    // would be skipped silently.
    buildStart() {
      try {
        for (const diff of diffs) applyDiff(readFileSync(new URL(diff.path, folder), "utf8"), diff);
      } catch (error) {
        const { version } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
        this.error(
          `${patch} does not fit the installed ${name} ${version}: ${(error as Error).message}. ` +
            "Install the version that the patch names in its first line, or renew the patch as its preamble says.",
        );
      }
    },
    transform: {
      filter: { id: new RegExp(`/node_modules/${name}/`) },
      handler(text, id) {
        const [, path = ""] = new RegExp(`/node_modules/${name}/([^?]+)`).exec(id) ?? [];
        if (!path.startsWith(source))
          this.error(`${patch} repairs ${source} of ${name}, but the bundle takes ${path}.`);
        const diff = diffs.find((diff) => diff.path === path);
        return diff && { code: applyDiff(text, diff), map: null };
      },
    },
  };
}
