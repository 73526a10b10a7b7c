import { setTimeout } from "node:timers/promises";
import type postgres from "postgres";

/** Only a superuser may end the server's own vacuum of a database; anybody else waits until it is through. */
const vacuuming = "42501";

export async function dropDatabase(admin: postgres.Sql, name: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== vacuuming || left === 0) throw error;
      await setTimeout(100);
    }
  }
}
