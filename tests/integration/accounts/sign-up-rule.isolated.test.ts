import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";

process.env.SIGNUPS = "";
const { getSignUpState } = await import("#app/domain/joining/joining.server.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");

/** SIGNUPS is unset, outside of local mode. */

let people = 0;
const signUp = () => {
  people += 1;
  const json = { username: "Newcomer", email: `newcomer-${people}@example.org`, password: goodPassword };
  return new Visitor().request("/api/auth/signup", { json });
};

const invited = { mode: "invite", warning: null };

test("a new site requires an invitation, before and after its first accounts, and shows no warning", async () => {
  expect((await signUp()).status).toBe(403);
  expect(await getSignUpState()).toEqual(invited);
  await newMember();
  expect((await signUp()).status).toBe(403);
  expect(await getSignUpState()).toEqual(invited);
});

test("a site whose accounts predate invitations stays open and tells its operators", async () => {
  const operator = await newMember();
  await db
    .update(users)
    .set({ role: "operator", joinedBeforeInvitations: true })
    .where(eq(users.id, operator.id));
  expect((await signUp()).status).toBe(201);
  expect((await getSignUpState()).warning).toContain("SIGNUPS is unset");
  for (const path of ["/admin", "/admin/invitations"])
    expect(await (await operator.request(path)).text(), path).toContain("SIGNUPS is unset");
});
