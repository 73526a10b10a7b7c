import { env } from "#app/platform/process/env.server.ts";
import { diskStorage } from "./disk.server.ts";
import { ipfsStorage } from "./ipfs.server.ts";
import type { Storage } from "./storage-interface.ts";
import { s3Storage } from "./s3.server.ts";

type StorageKind = (typeof env)["STORAGE"];

const made = new Map<StorageKind, Storage>();

/** Pictures stay where they were put when STORAGE changes, so any of the three may be asked for. */
export function storageOf(kind: StorageKind): Storage {
  const known = made.get(kind);
  if (known) return known;
  const storage = make(kind);
  made.set(kind, storage);
  return storage;
}

/** Where to look for a picture, likeliest first: pictures put before STORAGE changed are where they were put. */
export const listStorages = (): StorageKind[] => [
  ...new Set<StorageKind>([
    env.STORAGE,
    "disk",
    ...(env.S3_ENDPOINT ? (["s3"] as const) : []),
    ...(env.IPFS_API_URL ? (["ipfs"] as const) : []),
  ]),
];

function make(kind: StorageKind): Storage {
  switch (kind) {
    case "disk":
      return diskStorage(env.DATA_DIR);
    case "s3":
      return s3Storage({
        endpoint: needed("S3_ENDPOINT"),
        bucket: needed("S3_BUCKET"),
        region: env.S3_REGION ?? "us-east-1",
        accessKeyId: needed("S3_ACCESS_KEY_ID"),
        secretAccessKey: needed("S3_SECRET_ACCESS_KEY"),
        publicUrl: env.S3_PUBLIC_URL,
      });
    case "ipfs":
      return ipfsStorage({
        api: needed("IPFS_API_URL"),
        token: env.IPFS_API_TOKEN,
        gateway: env.IPFS_GATEWAY_URL,
      });
  }
}

function needed(
  name: "S3_ENDPOINT" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY" | "IPFS_API_URL",
) {
  const value = env[name];
  if (value === undefined) throw new Error(`${name} is needed to reach pictures stored there`);
  return value;
}
