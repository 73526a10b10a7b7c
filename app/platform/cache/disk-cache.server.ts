import { createHash, randomUUID } from "node:crypto";
import {
  access,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorFields, log } from "../log.server.ts";
import { hasFreeDisk } from "../process/free-disk.server.ts";
import { hours, minutes } from "../units.ts";
import { packKeyedBytes, unpackKeyedBytes } from "./keyed-bytes.ts";

/**
 * Stores bytes by key in a folder of limited size and evicts the least recently used files first. The folder is the
 * index, so the cache survives a restart. A cache may lose entries, so it does not sync files to the disk, it logs
 * failures instead of throwing them, and it writes nothing while the disk is nearly full.
 */

type FileEntry = { bytes: number; usedAt: number };

/** A file that is being written and becomes an entry of its own. */
type NewFile = {
  handle: FileHandle;
  path: string;
  /** Makes the file an entry. Returns false if it could not be stored. Closes the handle. */
  keep(): Promise<boolean>;
  /** Deletes the file. Does nothing after `keep`. */
  discard(): Promise<void>;
};

/** Why no file can be created: entries in use take the room, the disk is too full, or it cannot be written. */
type NoRoom = "in use" | "disk";

/**
 * After a restart, the order of eviction comes from the files' times of access. They are updated at most once an hour,
 * which saves a disk write on each read.
 */
const touchIntervalMs = hours(1);

/** A cache that is full keeps this share of its size, so that it does not evict at each write. */
const keptShare = 0.9;

/** An entry counts as in use for this time after it was read, so that a new file does not take its room. */
const inUseMs = minutes(2);

export class DiskCache<Header extends object> {
  readonly #folder: string;
  readonly #findMaxBytes: (storedBytes: number) => Promise<number>;
  /** Whether the disk has room for so many further bytes. */
  readonly #mayWrite: (bytes: number) => Promise<boolean>;
  readonly #known = new Map<string, FileEntry>();
  #total = 0;
  /** The bytes that files which are being written may take. */
  #reserved = 0;
  #evicting: Promise<void> | null = null;
  #listed: Promise<void> | undefined;

  /** `maxBytes` can depend on how much is stored, because stored bytes no longer count as free disk. */
  constructor(
    folder: string,
    maxBytes: number | ((storedBytes: number) => Promise<number>),
    mayWrite = hasFreeDisk,
  ) {
    this.#folder = folder;
    this.#findMaxBytes = typeof maxBytes === "number" ? async () => maxBytes : maxBytes;
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

  async maxBytes(): Promise<number> {
    await this.ready();
    return this.#findMaxBytes(this.#total);
  }

  get(key: string) {
    return this.#use(key, async (path) => unpackKeyedBytes<Header>(await readFile(path), key));
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
    if (!(await this.#mayWrite(0))) return false;
    try {
      await mkdir(dirname(temporaryPath), { recursive: true, mode: 0o700 });
      await writeFile(temporaryPath, packed);
      await rename(temporaryPath, this.#pathOf(name));
      this.#note(name, { bytes: packed.length, usedAt: Date.now() });
      await this.#evictOnce();
      return true;
    } catch (error) {
      log.warnOnce("disk-cache", "the disk cache cannot be written", errorFields(error));
      await rm(temporaryPath, { force: true }).catch(() => {});
      return false;
    }
  }

  /**
   * Creates a file for an entry that is too large for memory, and keeps room for `neededBytes` of it. The file may be
   * written by another process. It is deleted at the next start if this process ends before `keep`.
   */
  async create(key: string, neededBytes: number): Promise<NewFile | NoRoom> {
    const name = nameOf(key);
    const maxBytes = await this.maxBytes();
    if (this.#reserved + neededBytes + this.#bytesInUse() > maxBytes * keptShare) return "in use";
    this.#reserved += neededBytes;
    const temporaryPath = `${this.#pathOf(name)}.${randomUUID()}`;
    let isOver = false;
    const end = async (handle: FileHandle | null) => {
      isOver = true;
      this.#reserved -= neededBytes;
      await handle?.close().catch(() => {});
    };
    const fail = async (error: unknown, handle: FileHandle | null) => {
      log.warnOnce("disk-cache", "the disk cache cannot be written", errorFields(error));
      await end(handle);
      await rm(temporaryPath, { force: true }).catch(() => {});
    };
    try {
      await this.#evictOnce();
      if (!(await this.#mayWrite(neededBytes))) {
        await end(null);
        return "disk";
      }
      await mkdir(dirname(temporaryPath), { recursive: true, mode: 0o700 });
      const handle = await open(temporaryPath, "wx+", 0o600);
      return {
        handle,
        path: temporaryPath,
        keep: async () => {
          if (isOver) return false;
          try {
            const { size } = await handle.stat();
            const now = Date.now();
            await handle.utimes(now / 1000, wholeSeconds(now));
            await rename(temporaryPath, this.#pathOf(name));
            await end(handle);
            this.#note(name, { bytes: size, usedAt: now });
            return true;
          } catch (error) {
            if (!isOver) await fail(error, handle);
            return false;
          }
        },
        discard: async () => {
          if (isOver) return;
          await end(handle);
          await rm(temporaryPath, { force: true }).catch(() => {});
        },
      };
    } catch (error) {
      await fail(error, null);
      return "disk";
    }
  }

  /** The path of an entry that `create` made. Its file never changes, but may be evicted at any time. */
  findFile(key: string): Promise<string | null> {
    return this.#use(key, async (path) => {
      await access(path);
      return path;
    });
  }

  /** Forgets the entry if its file cannot be read. */
  async #use<Found>(key: string, read: (path: string) => Promise<Found>): Promise<Found | null> {
    const name = nameOf(key);
    await this.ready();
    const entry = this.#known.get(name);
    if (!entry) return null;
    const path = this.#pathOf(name);
    try {
      const found = await read(path);
      const now = Date.now();
      // Readers compare the modification time, so only the time of the last access is updated.
      if (now - entry.usedAt > touchIntervalMs)
        await utimes(path, now / 1000, wholeSeconds((await stat(path)).mtimeMs));
      entry.usedAt = now;
      return found;
    } catch {
      this.#forget(name);
      return null;
    }
  }

  #bytesInUse(): number {
    const since = Date.now() - inUseMs;
    return [...this.#known.values()].reduce(
      (sum, { bytes, usedAt }) => sum + (usedAt > since ? bytes : 0),
      0,
    );
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
        const stats = await stat(file).catch(() => null);
        if (!stats?.isFile() || this.#known.has(name)) continue;
        // Only an unfinished file has a dot in its name. Its process ended while writing it.
        if (name.includes(".")) await rm(file, { force: true });
        else this.#note(name, { bytes: stats.size, usedAt: Math.max(stats.mtimeMs, stats.atimeMs) });
      }
    await this.#evict();
  }

  #evictOnce(): Promise<void> {
    this.#evicting ??= this.#evict().finally(() => {
      this.#evicting = null;
    });
    return this.#evicting;
  }

  async #evict() {
    const maxBytes = await this.#findMaxBytes(this.#total);
    if (this.#total + this.#reserved <= maxBytes) return;
    const oldestFirst = [...this.#known].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [name] of oldestFirst) {
      if (this.#total + this.#reserved <= maxBytes * keptShare) return;
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

/**
 * `utimes` always sets both times, with less precision than the disk has. A modification time in whole seconds stays the
 * same when it is set again.
 */
const wholeSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

const nameOf = (key: string) => createHash("sha256").update(key).digest("hex");
