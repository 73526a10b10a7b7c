import { expect, test } from "vitest";

process.env.SIGNUPS = "closed";
process.env.SIGNUP_CODE = "open sesame";
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { Visitor } = await import("#tests/support/requests/visitor.ts");

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
