import { stat } from "node:fs/promises";
import { FeedFailure } from "./feed-failure.ts";
import type { Validators } from "./fetch-feed.server.ts";

/**
 * Validators of a local file: its size and modification time serve as the ETag. Null if this version of the file is
 * already imported.
 */
export async function fileValidators(
  path: string,
  known: Validators,
): Promise<(Validators & { path: string }) | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new FeedFailure(`The file cannot be read (${error.code})`);
  });
  const etag = `${found.size} ${found.mtimeMs}`;
  return etag === known.etag ? null : { path, etag, lastModified: null };
}
