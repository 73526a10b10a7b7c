import { chown, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { env } from "#app/platform/process/env.server.ts";

export const backupFolder = () => join(env.DATA_DIR, "backups");

/** Root makes a backup of a service that runs as another user. That user's next update writes into the folder, too. */
export async function giveToSite(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const isOwn = [env.DATA_DIR, backupFolder()].some((own) => resolve(own) === folder);
  if (process.getuid?.() !== 0 || !isOwn) return;
  const { uid, gid } = await stat(env.DATA_DIR);
  for (const path of [folder, file]) await chown(path, uid, gid);
}
