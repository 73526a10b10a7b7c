import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorFields, log } from "../log.server.ts";
import { hasFreeDisk } from "../process/free-disk.server.ts";
import { hours } from "../units.ts";
import { packKeyedBytes, unpackKeyedBytes } from "./keyed-bytes.ts";

/**
 * Stores bytes by key in a folder of limited size and evicts the least recently used files first. The folder is the
 * index, so the cache survives a restart. A cache may lose entries, so it does not sync files to the disk, it logs
 * failures instead of throwing them, and it writes nothing while the disk is nearly full.
 */

type FileEntry = { bytes: number; usedAt: number };
type StoredEntry<Header> = { header: Header; bytes: Buffer };

/**
 * After a restart, the order of eviction comes from the files' modification times. They are updated at most once an
 * hour, which saves a disk write on each read.
 */
const touchIntervalMs = hours(1);

export class DiskCache<Header extends object> {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #mayWrite: () => Promise<boolean>;
  readonly #known = new Map<string, FileEntry>();
  #total = 0;
  #evicting: Promise<void> | null = null;
  #listed: Promise<void> | undefined;

  constructor(folder: string, maxBytes: number, mayWrite = hasFreeDisk) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#mayWrite = mayWrite;
  }

  /** Reads the folder at the first use, so that importing this module does not access the disk. */
  ready(): Promise<void> {
    this.#listed ??= this.#list().catch((error) =>
      log.warn("the disk cache cannot be read", errorFields(error)),
    );
    return this.#listed;
  }

  bytes(): number {
    return this.#total;
  }

  async get(key: string): Promise<StoredEntry<Header> | null> {
    const name = nameOf(key);
    await this.ready();
    const entry = this.#known.get(name);
    if (!entry) return null;
    try {
      const stored = unpackKeyedBytes<Header>(await readFile(this.#pathOf(name)), key);
      const now = Date.now();
      if (now - entry.usedAt > touchIntervalMs) await utimes(this.#pathOf(name), now / 1000, now / 1000);
      entry.usedAt = now;
      return stored;
    } catch {
      this.#forget(name);
      return null;
    }
  }

  /** Checks only the index, not the disk. The file may be gone. */
  has(key: string): boolean {
    return this.#known.has(nameOf(key));
  }

  /** Returns false if the value could not be stored. */
  async set(key: string, header: Header, bytes: Buffer): Promise<boolean> {
    const name = nameOf(key);
    const packed = packKeyedBytes(key, header, bytes);
    const temporaryPath = `${this.#pathOf(name)}.${randomUUID()}`;
    await this.ready();
    if (!(await this.#mayWrite())) return false;
    try {
      await mkdir(dirname(temporaryPath), { recursive: true, mode: 0o700 });
      await writeFile(temporaryPath, packed);
      await rename(temporaryPath, this.#pathOf(name));
      this.#note(name, { bytes: packed.length, usedAt: Date.now() });
      this.#evicting ??= this.#evict().finally(() => {
        this.#evicting = null;
      });
      await this.#evicting;
      return true;
    } catch (error) {
      log.warnOnce("disk-cache", "the disk cache cannot be written", errorFields(error));
      await rm(temporaryPath, { force: true }).catch(() => {});
      return false;
    }
  }

  async remove(key: string): Promise<void> {
    const name = nameOf(key);
    await this.ready();
    if (!this.#known.has(name)) return;
    this.#forget(name);
    await rm(this.#pathOf(name), { force: true }).catch(() => {});
  }

  async #list() {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const subfolder of await readdir(this.#folder))
      for (const name of await readdir(join(this.#folder, subfolder)).catch(() => [])) {
        const file = join(this.#folder, subfolder, name);
        const found = await stat(file).catch(() => null);
        if (!found?.isFile() || this.#known.has(name)) continue;
        // Only an unfinished file has a dot in its name. Its process ended while writing it.
        if (name.includes(".")) await rm(file, { force: true });
        else this.#note(name, { bytes: found.size, usedAt: found.mtimeMs });
      }
    await this.#evict();
  }

  async #evict() {
    if (this.#total <= this.#maxBytes) return;
    const oldestFirst = [...this.#known].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [name] of oldestFirst) {
      if (this.#total <= this.#maxBytes * 0.9) return;
      this.#forget(name);
      await rm(this.#pathOf(name), { force: true });
    }
  }

  #note(name: string, entry: FileEntry) {
    this.#total += entry.bytes - (this.#known.get(name)?.bytes ?? 0);
    this.#known.set(name, entry);
  }

  #forget(name: string) {
    this.#total -= this.#known.get(name)?.bytes ?? 0;
    this.#known.delete(name);
  }

  #pathOf(name: string) {
    return join(this.#folder, name.slice(0, 2), name);
  }
}

const nameOf = (key: string) => createHash("sha256").update(key).digest("hex");
