import { chown, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { env } from "#app/platform/process/env.server.ts";

export const backupFolder = () => join(env.DATA_DIR, "backups");

/** Root makes a backup of a service that runs as another user. That user's next update writes into the folder, too. */
export async function giveToSite(file: string): Promise<void> {
  if (process.getuid?.() !== 0 || dirname(resolve(file)) !== resolve(backupFolder())) return;
  const { uid, gid } = await stat(env.DATA_DIR);
  for (const path of [backupFolder(), file]) await chown(path, uid, gid);
}
