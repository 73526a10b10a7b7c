import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { newMember, Visitor } from "./visitor.ts";

/** The owner of a household, and its profiles as the owner's forms make them. */

type Member = Awaited<ReturnType<typeof newMember>>;
export type Ceiling = "g" | "pg" | "pg-13" | "r" | "chosen";

async function post(visitor: Visitor, path: string, form: Record<string, string>) {
  const answer = await visitor.request(path, { form });
  if (answer.status !== 302) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** Returns the id of the new profile. */
export async function addProfile(owner: Member, name: string, ceiling: Ceiling | "" = ""): Promise<string> {
  await post(owner, "/profiles/manage", { name, accent: "#16a34a", ceiling });
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountId, owner.id), eq(users.name, name)));
  return row!.id;
}

export const switchTo = (visitor: Visitor, profile: string) =>
  post(visitor, "/profiles", { profile, redirectTo: "/" });

export const chooseTitle = (
  owner: Visitor,
  malId: number,
  verdict: "allowed" | "blocked" | "none",
  more = {},
) => post(owner, "/profiles/titles", { id: String(malId), verdict, ...more });

/** A household with a child, and a second browser that is signed in as the child. */
export async function newChild(ceiling: Ceiling) {
  const owner = await newMember();
  const id = await addProfile(owner, "Mio", ceiling);
  const child = await anotherBrowserOf(owner);
  await switchTo(child, id);
  return { owner, child: Object.assign(child, { id }) };
}

/** Signed in to the account as its owner. */
export async function anotherBrowserOf({ email, password, address }: Member): Promise<Visitor> {
  const visitor = new Visitor(address);
  const answer = await visitor.request("/api/auth/signin", { json: { email, password } });
  if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}`);
  return visitor;
}
