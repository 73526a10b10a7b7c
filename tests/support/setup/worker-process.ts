import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** The application reads its environment once, so all test files of a process use one database name and one data folder. */
export const databaseName = `engawa_test_${randomUUID().replaceAll("-", "")}`;
export const dataDir = mkdtempSync(join(inject("dataFolders"), "worker-"));

let files = 0;

/** 0 for the first test file of this process. */
export const nextFile = () => files++;
