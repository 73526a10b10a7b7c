import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Parts of the site that an operator has turned off. */

Object.assign(process.env, {
  JIKAN_API: "0",
  MEDIA_DIR: temporaryFolder("turned-off"),
  REQUESTS: "0",
  SIGNUPS: "closed",
  SIGNUP_CODE: "open sesame",
});
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { request } = await import("#tests/support/site/in-process.ts");

test.each(["/v4/anime/1", "/v4/anime", "/v4/openapi.json", "/v4/anything"])(
  "%s is not there when the API is off",
  async (path) => {
    expect((await request(path)).status).toBe(404);
  },
);

test("the page about the API does not mention the API in Jikan's shapes when it is off", async () => {
  expect(await (await request("/api")).text()).not.toContain("/v4");
});

test("with REQUESTS=0, the title page has no wish button and wishes are refused", async () => {
  const [member, malId] = [await newMember(), await someTitle({ status: "Finished Airing" })];
  expect(await (await member.request(`/anime/${malId}/title-${malId}`)).text()).not.toContain(
    "Wish for this",
  );
  const form = { intent: "wish", id: `${malId}` };
  expect((await member.request("/wishes", { form })).status).toBe(404);
});

const newcomer = { username: "Newcomer", email: "newcomer@example.org", password: goodPassword };

test("while sign-up is closed, the endpoint and the form get 403, with or without a code", async () => {
  for (const json of [newcomer, { ...newcomer, code: "open sesame" }]) {
    const response = await new Visitor().request("/api/auth/signup", { json });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: "Sign-up is closed here", status: 403 });
  }
  const form = await new Visitor().request("/signup", { form: newcomer });
  expect(form.status).toBe(403);
  const page = await (await new Visitor().request("/signup")).text();
  expect(page).toContain("Sign-up is closed here");
  expect(page).not.toContain('name="password"');
});

test("without OAUTH settings, the provider endpoints get 404 and the sign-in page names no provider", async () => {
  const start = await new Visitor().request("/api/auth/provider", { method: "POST" });
  expect(start.status).toBe(404);
  expect((await new Visitor().request("/api/auth/callback?code=x&state=y")).status).toBe(404);
  expect(await (await new Visitor().request("/signin")).text()).not.toContain("Continue with");
});
