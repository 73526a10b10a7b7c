import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { ClusterFolders } from "./cluster-folders.server.ts";

/**
 * initdb asks the system for its user's name. A container that runs as an arbitrary user id has none, so the library
 * nss_wrapper answers from a file. Only initdb needs this.
 */
type UserName = { variables: Record<string, string>; remove(): void };

const nothing: UserName = { variables: {}, remove: () => {} };

export function nameUser({ systemUser }: ClusterFolders): UserName {
  // If the site runs as root, PostgreSQL runs as another user, which every system has.
  const library = systemUser.uid === undefined && !hasName() ? findLibrary() : undefined;
  if (library === undefined) return nothing;
  const folder = mkdtempSync(join(tmpdir(), "engawa-user-"));
  const passwd = join(folder, "passwd");
  const group = join(folder, "group");
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  writeFileSync(passwd, `engawa:x:${uid}:${gid}::/:/bin/sh\n`);
  writeFileSync(group, `engawa:x:${gid}:\n`);
  return {
    variables: { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function hasName() {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function findLibrary() {
  const folders = ["/usr/lib", "/usr/lib64"].filter(existsSync);
  const nested = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith("-linux-gnu"))
      .map((name) => join(folder, name)),
  );
  return [...nested, ...folders].map((folder) => join(folder, "libnss_wrapper.so")).find(existsSync);
}
