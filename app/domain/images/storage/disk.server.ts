import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Storage } from "./storage-interface.ts";

/** A folder under DATA_DIR. A picture is there whole or not at all, also after the power went. */
export function diskStorage(dataDir: string): Storage {
  const folder = join(dataDir, "images");
  // The end of a CID is its most evenly spread part.
  const pathOf = (cid: string) => join(folder, cid.slice(-2), cid);

  async function put(cid: string, bytes: Buffer) {
    const path = pathOf(cid);
    const now = new Date();
    const isThere = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await mkdir(dirname(path), { recursive: true });
    const unfinished = join(folder, `${cid}.${randomUUID()}`);
    try {
      await writeThrough(unfinished, bytes);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await flush(dirname(path));
  }

  async function get(cid: string) {
    try {
      return await readFile(pathOf(cid));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async function* listBefore(moment: number) {
    for (const shelf of await readdir(folder).catch(() => [])) {
      const isUnfinished = shelf.includes(".");
      const names = isUnfinished ? [""] : await readdir(join(folder, shelf)).catch(() => []);
      for (const name of names) {
        const path = join(folder, shelf, name);
        const found = await stat(path).catch(() => null);
        if (!found || found.mtimeMs >= moment) continue;
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

/** The name itself is on disk only once its folder is; systems that cannot flush one say so, and are left alone. */
async function flush(folder: string) {
  const handle = await open(folder).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";
