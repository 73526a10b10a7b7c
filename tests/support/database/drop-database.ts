import { setTimeout } from "node:timers/promises";
import type postgres from "postgres";

/** PostgreSQL's code while autovacuum works on the database: only a superuser may cancel the vacuum. */
const insufficientPrivilege = "42501";

export async function dropDatabase(admin: postgres.Sql, name: string): Promise<void> {
  for (let attemptsLeft = 100; ; attemptsLeft--) {
    try {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== insufficientPrivilege || attemptsLeft === 0) throw error;
      await setTimeout(100);
    }
  }
}
