import { stat } from "node:fs/promises";
import { FeedFailure } from "./feed-failure.ts";
import type { Validators } from "./fetch-feed.server.ts";

/** A feed that is a file on this machine. Its size and time take the place of a server's ETag. Null if it is the known one. */
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
