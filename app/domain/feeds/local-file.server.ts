import { stat } from "node:fs/promises";
import { FeedFailure } from "./feed-failure.ts";
import type { Validators } from "./fetch-feed.server.ts";

/** Validators of a file on this machine: its size and time serve as ETag. Null if the catalog has this version of the file. */
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
