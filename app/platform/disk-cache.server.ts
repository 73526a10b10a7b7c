import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hours } from "./duration.ts";
import { errorFields, log } from "./log.server.ts";
import { pack, unpack } from "./packed.ts";

/**
 * Bytes under a key in a folder of bounded size, least recently used out first. It survives a restart: the folder
 * is the index. A cache may lose anything at any time, so nothing is flushed and no failure reaches the caller.
 */

type Known = { bytes: number; usedAt: number };
export type Stored<Header> = { header: Header; bytes: Buffer };

/** Files are read anew at the next start; until then the time of last use is good to the hour. */
const touchEvery = hours(1);

export function diskCache<Header extends object>(folder: string, mostBytes: number) {
  const known = new Map<string, Known>();
  let total = 0;
  let evicting: Promise<void> | null = null;
  let listed: Promise<void> | undefined;

  const nameOf = (key: string) => createHash("sha256").update(key).digest("hex");
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);

  /** At the first use and not before: whoever merely imports this touches no folder. */
  const ready = () => {
    listed ??= list().catch((error) => log.warn("the disk cache cannot be read", errorFields(error)));
    return listed;
  };

  async function list() {
    await mkdir(folder, { recursive: true });
    for (const shelf of await readdir(folder))
      for (const name of await readdir(join(folder, shelf)).catch(() => [])) {
        const found = await stat(join(folder, shelf, name)).catch(() => null);
        if (!found?.isFile() || known.has(name)) continue;
        // A half-written file is one whose process ended in between.
        if (name.includes(".")) await rm(join(folder, shelf, name), { force: true });
        else note(name, { bytes: found.size, usedAt: found.mtimeMs });
      }
    await evict();
  }

  function note(name: string, entry: Known) {
    total += entry.bytes - (known.get(name)?.bytes ?? 0);
    known.set(name, entry);
  }

  function forget(name: string) {
    total -= known.get(name)?.bytes ?? 0;
    known.delete(name);
  }

  async function evict() {
    if (total <= mostBytes) return;
    const oldestFirst = [...known].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [name] of oldestFirst) {
      if (total <= mostBytes * 0.9) return;
      forget(name);
      await rm(pathOf(name), { force: true });
    }
  }

  async function get(key: string): Promise<Stored<Header> | null> {
    const name = nameOf(key);
    await ready();
    const entry = known.get(name);
    if (!entry) return null;
    try {
      const stored = unpack<Header>(await readFile(pathOf(name)), key);
      const now = Date.now();
      if (now - entry.usedAt > touchEvery) await utimes(pathOf(name), now / 1000, now / 1000);
      entry.usedAt = now;
      return stored;
    } catch {
      forget(name);
      return null;
    }
  }

  async function set(key: string, header: Header, bytes: Buffer): Promise<void> {
    const name = nameOf(key);
    const packed = pack(key, header, bytes);
    const unfinished = `${pathOf(name)}.${randomUUID()}`;
    await ready();
    try {
      await mkdir(join(folder, name.slice(0, 2)), { recursive: true });
      await writeFile(unfinished, packed);
      await rename(unfinished, pathOf(name));
      note(name, { bytes: packed.length, usedAt: Date.now() });
      evicting ??= evict().finally(() => {
        evicting = null;
      });
      await evicting;
    } catch (error) {
      log.warnOnce("disk-cache", "the disk cache cannot be written", errorFields(error));
      await rm(unfinished, { force: true }).catch(() => {});
    }
  }

  async function remove(key: string): Promise<void> {
    const name = nameOf(key);
    await ready();
    if (!known.has(name)) return;
    forget(name);
    await rm(pathOf(name), { force: true }).catch(() => {});
  }

  return { get, set, remove, bytes: () => total, ready };
}
