import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { profilePins, users } from "#db/schema/accounts.ts";
import type { Ceiling } from "#db/schema/enumerations.ts";
import { type Member, newMember, openSession, Visitor } from "#tests/support/requests/visitor.ts";

/** Creates households: an owner, and profiles added through the owner's forms. */

/** The PIN that the owner sets when adding the first child. */
export const ownersPin = "2580";

async function post(visitor: Visitor, path: string, form: Record<string, string>) {
  const answer = await visitor.request(path, { form });
  if (answer.status !== 302) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Adds a profile and returns its id. */
export async function addProfile(owner: Member, name: string, ceiling: Ceiling | "" = ""): Promise<string> {
  await post(owner, "/profiles/manage", { name, accent: "#16a34a", ceiling, pin: ownersPin });
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountId, owner.id), eq(users.name, name)));
  return row!.id;
}

export async function switchTo(visitor: Visitor, profile: string) {
  const answer = await post(visitor, "/profiles", { profile, redirectTo: "/" });
  if (answer.headers.get("Location") !== "/") throw new Error("the profile asks for a proof");
  return answer;
}

export const chooseTitle = (
  owner: Visitor,
  malId: number,
  verdict: "allowed" | "blocked" | "none",
  more: Record<string, string> = {},
) => post(owner, "/profiles/titles", { id: String(malId), verdict, ...more });

/**
 * Creates a household with a child, and a second browser that is signed in as the child. Hashing a PIN takes much
 * processor time, so the owner's stored PIN is a text that matches no PIN.
 */
export async function newChild(ceiling: Ceiling) {
  const owner = await newMember();
  await db.insert(profilePins).values({ userId: owner.id, hash: "matches no PIN" });
  const id = await addProfile(owner, "Mio", ceiling);
  const child = await anotherBrowserOf(owner);
  await switchTo(child, id);
  return { owner, child: Object.assign(child, { id }) };
}

/** Another browser that is signed in to the account as its owner. */
export async function anotherBrowserOf({ id, address }: Member): Promise<Visitor> {
  const visitor = new Visitor(address);
  await openSession(visitor, id);
  return visitor;
}
