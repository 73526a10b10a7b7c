import { randomUUID } from "node:crypto";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";

/** Creates a user that no other test uses. */
export async function someUser(): Promise<string> {
  const name = `user-${randomUUID()}`;
  const [row] = await db
    .insert(users)
    .values({ email: `${name}@example.test`, username: name, name })
    .returning({ id: users.id });
  return row!.id;
}

let nextMalId = 10_000_000;

/** Creates a title that no other test counts or changes. */
export async function someTitle(fields: Partial<typeof titles.$inferInsert> = {}): Promise<number> {
  const malId = nextMalId++;
  await addTitles([malId], fields);
  return malId;
}

export const addTitles = (malIds: readonly number[], fields: Partial<typeof titles.$inferInsert> = {}) =>
  db
    .insert(titles)
    .values(
      malIds.map((malId) => ({ malId, title: `Title ${malId}`, titleKey: `title ${malId}`, ...fields })),
    );
