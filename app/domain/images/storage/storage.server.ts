import { env } from "#app/platform/process/env.server.ts";
import { diskStorage } from "./disk.server.ts";
import { ipfsStorage } from "./ipfs.server.ts";
import { s3Storage } from "./s3.server.ts";
import type { Storage } from "./storage-interface.ts";

export type StorageKind = (typeof env)["STORAGE"];

const storages = new Map<StorageKind, Storage>();

/** Pictures stay in their storage when STORAGE changes, so several kinds can be in use at once. */
export function storageOf(kind: StorageKind): Storage {
  const known = storages.get(kind);
  if (known) return known;
  const storage = createStorage(kind);
  storages.set(kind, storage);
  return storage;
}

/**
 * The storages to search for a picture, the most likely first. Pictures stored before STORAGE changed are in another
 * one.
 */
export const listStorages = (): StorageKind[] => [
  ...new Set<StorageKind>([
    env.STORAGE,
    "disk",
    ...(env.S3_ENDPOINT ? (["s3"] as const) : []),
    ...(env.IPFS_API_URL ? (["ipfs"] as const) : []),
  ]),
];

function createStorage(kind: StorageKind): Storage {
  switch (kind) {
    case "disk":
      return diskStorage(env.DATA_DIR);
    case "s3":
      return s3Storage({
        endpoint: getSetting("S3_ENDPOINT"),
        bucket: getSetting("S3_BUCKET"),
        region: env.S3_REGION ?? "us-east-1",
        accessKeyId: getSetting("S3_ACCESS_KEY_ID"),
        secretAccessKey: getSetting("S3_SECRET_ACCESS_KEY"),
        publicUrl: env.S3_PUBLIC_URL,
      });
    case "ipfs":
      return ipfsStorage({
        api: getSetting("IPFS_API_URL"),
        token: env.IPFS_API_TOKEN,
        gateway: env.IPFS_GATEWAY_URL,
      });
  }
}

function getSetting(
  name: "S3_ENDPOINT" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY" | "IPFS_API_URL",
) {
  const value = env[name];
  if (value === undefined) throw new Error(`${name} is not set, but pictures are stored there`);
  return value;
}
