import { chown, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { env } from "#app/platform/process/env.server.ts";

export const backupFolder = () => join(env.DATA_DIR, "backups");

/**
 * Gives a file in the site's folders to the site's user. Root may write a backup while the service runs as another
 * user, whose next update writes into the same folder.
 */
export async function giveToSite(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const isOwn = [env.DATA_DIR, backupFolder()].some((own) => resolve(own) === folder);
  if (process.getuid?.() !== 0 || !isOwn) return;
  const { uid, gid } = await stat(env.DATA_DIR);
  for (const path of [folder, file]) await chown(path, uid, gid);
}
