import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { mebibytes } from "#app/platform/units.ts";

/**
 * The file format of a backup: JSON lines. A line with `bytes` is followed by that many raw bytes. Rows are stored as
 * PostgreSQL's COPY wrote them, so this code never has to parse a value and cannot change one.
 */

export const formatName = "engawa-backup";
export const formatVersion = 1;

const maxLineBytes = mebibytes(1);
/** The limit for a chunk of rows or a picture, so that a damaged length cannot fill the memory. */
const maxPayloadBytes = mebibytes(64);

const count = z.int().min(0);
const frameShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("backup"),
    format: z.literal(formatName),
    version: count,
    madeAt: z.string(),
    migrations: z.array(z.string()),
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  }),
  z.object({ kind: z.literal("rows"), table: z.string(), bytes: count.max(maxPayloadBytes) }),
  z.object({ kind: z.literal("picture"), cid: z.string(), bytes: count.max(maxPayloadBytes) }),
  /** The last line. A file without it is incomplete. */
  z.object({
    kind: z.literal("end"),
    rows: z.record(z.string(), count),
    pictures: count,
    /** The checksum of everything before this line. Backups of older versions lack the checksum, and older versions ignore it. */
    sha256: z.string().optional(),
  }),
]);
export type BackupFrame = z.infer<typeof frameShape>;
export type BackupHead = Extract<BackupFrame, { kind: "backup" }>;
export type TableHeader = BackupHead["tables"][number];
export type FrameWithPayload = { frame: BackupFrame; payload: Buffer };

/** The name of a table or column of a `TableHeader` in a statement. */
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

export const encodeFrameLine = (frame: BackupFrame) => Buffer.from(`${JSON.stringify(frame)}\n`);

/** The message says what is wrong with the file. */
export class BrokenBackup extends Error {}

export const notABackupText = "This file is not an Engawa backup";
const incompleteText = "The backup is incomplete: the file ends too early";

/** Opens a backup file. Its reader may start late: the embedded database needs a second to start. */
export async function openFrames(file: string) {
  await checkFile(file);
  const text = pipeline(createReadStream(file), createGunzip({ chunkSize: 65_536 }), () => {});
  // The reader throws this error too. Without a listener, an incomplete file would end the process before its first
  // frame is read.
  text.on("error", () => {});
  return { frames: readFrames(text), close: () => text.destroy() };
}

async function checkFile(file: string) {
  const stats = await stat(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new BrokenBackup(
      code === "ENOENT" ? `The file ${file} does not exist` : `The file ${file} cannot be read (${code})`,
    );
  });
  if (!stats.isFile()) throw new BrokenBackup(`${file} is a folder or a device. Name the file of a backup`);
  if (stats.size === 0) throw new BrokenBackup(`The file ${file} is empty`);
  const handle = await open(file).catch(() => null);
  if (!handle) throw new BrokenBackup(`This user may not read ${file}`);
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  if (buffer.toString("hex") !== "1f8b") throw new BrokenBackup(notABackupText);
}

async function* readFrames(source: Readable): AsyncGenerator<FrameWithPayload> {
  const reader = new ByteReader(source);
  const content = createHash("sha256");
  for (let line = await reader.line(); line !== null; line = await reader.line()) {
    const frame = parse(line);
    if (frame.kind === "end" && frame.sha256 !== undefined && frame.sha256 !== content.digest("hex"))
      throw new BrokenBackup("The backup is damaged: its content does not match its checksum");
    const payload = "bytes" in frame ? await reader.take(frame.bytes) : Buffer.alloc(0);
    yield { frame, payload };
    if (frame.kind !== "end") {
      content.update(`${line}\n`).update(payload);
      continue;
    }
    // gzip compares its checksum only at its very end.
    if (!(await reader.isAtEnd()))
      throw new BrokenBackup("The backup is damaged: there is more after its end");
    return;
  }
  throw new BrokenBackup(incompleteText);
}

function parse(line: string): BackupFrame {
  try {
    return frameShape.parse(JSON.parse(line));
  } catch {
    throw new BrokenBackup(notABackupText);
  }
}

class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    this.chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async line(): Promise<string | null> {
    for (;;) {
      const end = this.held.indexOf(10);
      if (end >= 0) return this.cut(end + 1).toString("utf8", 0, end);
      if (this.held.length > maxLineBytes) throw new BrokenBackup(notABackupText);
      if (!(await this.more())) return null;
    }
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = bytes; missing > 0; ) {
      if (this.held.length === 0 && !(await this.more())) throw new BrokenBackup(incompleteText);
      const part = this.cut(Math.min(missing, this.held.length));
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async isAtEnd(): Promise<boolean> {
    return this.held.length === 0 && !(await this.more());
  }

  private cut(bytes: number) {
    const part = this.held.subarray(0, bytes);
    this.held = this.held.subarray(bytes);
    return part;
  }

  private async more() {
    const { value, done } = await this.chunks.next().catch((error: NodeJS.ErrnoException) => {
      if (error.code === "Z_BUF_ERROR") throw new BrokenBackup(incompleteText);
      if (error.code?.startsWith("Z_"))
        throw new BrokenBackup("The backup is damaged: its checksum is wrong");
      throw error;
    });
    if (!done) this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value]);
    return !done;
  }
}
