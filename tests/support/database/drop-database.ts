import { setTimeout } from "node:timers/promises";
import type postgres from "postgres";

/** PostgreSQL answers with this code while its own vacuum of the database runs: only a superuser may end the vacuum. */
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
