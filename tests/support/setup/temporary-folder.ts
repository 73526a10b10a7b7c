import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own, open to the account that runs the embedded database when the tests run as root. */
export function temporaryFolder(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `engawa-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
