import { readFileSync } from "node:fs";
import bcrypt from "bcryptjs";
import postgres from "postgres";
import { driverArguments } from "#db/driver-arguments.ts";
import { createTables } from "#db/migrate.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";

/** The migrations of the first version. */
export const firstMigrations = ["0000_trigrams", "0001_tables"];

export const openDatabase = (url: string) =>
  postgres(...driverArguments(url, { max: 1, onnotice: () => {} }));

/** A database of the first version with a few rows, among them those of a member with the usual password. */
export async function makeFirstDatabase() {
  const url = await newDatabase({ isEmpty: true });
  const sql = openDatabase(url);
  await sql.begin((transaction) => createTables(transaction, firstMigrations));
  const rows = readFileSync("tests/fixtures/first-schema.sql", "utf8");
  await sql.unsafe(rows.replace(":hash", () => `'${bcrypt.hashSync(goodPassword, 4)}'`));
  return { url, sql };
}
