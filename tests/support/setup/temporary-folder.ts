import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A new folder, which a test run (vitest.config.ts) or a benchmark removes at its end. Other accounts may enter it: if
 * the tests run as root, the embedded database runs under another account.
 */
export function temporaryFolder(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `engawa-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}
