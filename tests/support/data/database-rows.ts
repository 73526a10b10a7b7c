import { randomUUID } from "node:crypto";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";

/** A user nobody else in the test database is. */
export async function someUser(): Promise<string> {
  const name = `user-${randomUUID()}`;
  const [row] = await db
    .insert(users)
    .values({ email: `${name}@example.test`, username: name, name })
    .returning({ id: users.id });
  return row!.id;
}

let ids = 10_000_000;

/** A title of the test's own, so that nothing else counts or changes it. */
export async function someTitle(fields: Partial<typeof titles.$inferInsert> = {}): Promise<number> {
  const malId = ids++;
  await db.insert(titles).values({ malId, title: `Title ${malId}`, titleKey: `title ${malId}`, ...fields });
  return malId;
}
