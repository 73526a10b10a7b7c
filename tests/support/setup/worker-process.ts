import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** The application reads its environment once, so all test files of a process use one database name and one data folder. */
export const databaseName = `engawa_test_${randomUUID().replaceAll("-", "")}`;
export const dataDir = join(inject("dataFolders"), databaseName);
// Others may enter it. As root, an embedded database would otherwise be made in /var/lib, and stay there.
mkdirSync(dataDir, { mode: 0o755 });

let files = 0;

/** 0 for the first test file of this process. */
export const nextFile = () => files++;
