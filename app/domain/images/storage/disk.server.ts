import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Storage } from "./storage-interface.ts";

/** Stores pictures in a folder under DATA_DIR. After a power failure, a picture is either complete or missing. */
export function diskStorage(dataDir: string): Storage {
  const folder = join(dataDir, "images");
  // Subfolders have the last characters of the CID as their name, because all CIDs begin with the same ones.
  const pathOf = (cid: string) => join(folder, cid.slice(-2), cid);

  async function put(cid: string, bytes: Buffer) {
    const path = pathOf(cid);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = join(folder, `${cid}.${randomUUID()}`);
    try {
      await writeThrough(unfinished, bytes);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await flushFolder(dirname(path));
  }

  async function get(cid: string) {
    try {
      return await readFile(pathOf(cid));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async function* listBefore(beforeMs: number) {
    for (const entry of await readdir(folder).catch(() => [])) {
      const isUnfinished = entry.includes(".");
      const names = isUnfinished ? [""] : await readdir(join(folder, entry)).catch(() => []);
      for (const name of names) {
        const path = join(folder, entry, name);
        const stats = await stat(path).catch(() => null);
        if (!stats || stats.mtimeMs >= beforeMs) continue;
        if (isUnfinished) await rm(path, { force: true });
        else yield name;
      }
    }
  }

  return {
    put,
    get,
    remove: (cid) => rm(pathOf(cid), { force: true }),
    listBefore,
    publicUrl: () => null,
  };
}

async function writeThrough(path: string, bytes: Buffer) {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * A rename survives a power failure only after its folder is flushed. Errors are ignored, since some systems cannot
 * flush a folder.
 */
async function flushFolder(folder: string) {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";
