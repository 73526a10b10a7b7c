import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { env } from "./env.server.ts";

/** Opens a file under DATA_DIR without a name. It is deleted when it is closed or when the process ends. */
export async function openUnnamedFile(folderName: string): Promise<FileHandle> {
  const folder = join(env.DATA_DIR, folderName);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, "wx+", 0o600);
  try {
    await rm(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
