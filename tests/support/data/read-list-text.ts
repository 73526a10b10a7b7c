import { closeSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readListFile } from "#app/domain/library/files/parse-list-file.server.ts";
import { ScratchFile } from "#app/platform/process/stored-rows.ts";

/** Calls `use` with an empty temporary file that has no name. */
export async function withScratchFile<Result>(use: (scratch: ScratchFile) => Result | Promise<Result>) {
  const path = join(tmpdir(), `engawa-${process.pid}-${Math.random()}`);
  const fd = openSync(path, "wx+");
  rmSync(path);
  try {
    return await use(new ScratchFile(fd, 0));
  } finally {
    closeSync(fd);
  }
}

type Content = string | Uint8Array | readonly Uint8Array[];
const chunksOf = (content: Content) =>
  typeof content === "string" ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : content;

/** Reads the content of a list file as an import does. */
export const readListText = (content: Content) =>
  withScratchFile(async (scratch) => {
    const list = await readListFile(chunksOf(content), scratch);
    return list.ok
      ? {
          ok: true as const,
          value: {
            entries: [...scratch.rowsOf(list.value.entries)],
            skipped: [...scratch.rowsOf(list.value.skipped)],
          },
        }
      : list;
  });
