import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that contains package.json. It is the same for code that runs from the sources and from the build. */
const root = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("no package.json above the running code");
    folder = parent;
  }
  return folder;
})();

export const ownFilePath = (path: string) => join(root, path);
