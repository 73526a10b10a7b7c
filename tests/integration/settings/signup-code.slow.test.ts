import { expect, test } from "vitest";
import { client, consentAt, startIdentityProvider } from "#tests/support/servers/identity-provider.ts";

/** Sign-up with SIGNUPS=code, behind a TLS proxy, while CORS_ORIGINS allows one other origin. */

const origin = "https://engawa.example";
const redirectUri = `${origin}/api/auth/callback`;
const provider = await startIdentityProvider(redirectUri);
Object.assign(process.env, {
  PUBLIC_URL: origin,
  TRUST_PROXY: "1",
  SIGNUPS: "code",
  SIGNUP_CODE: "open sesame",
  CORS_ORIGINS: "https://app.example",
  OAUTH_ISSUER: provider.issuer,
  OAUTH_CLIENT_ID: client.id,
  OAUTH_CLIENT_SECRET: client.secret,
});
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");

let people = 0;
const newcomer = () => {
  people += 1;
  return { username: "Newcomer", email: `newcomer-${people}@example.org`, password: goodPassword };
};
/** The headers of a browser's request when the TLS proxy forwards it. */
const behindProxy = { Origin: origin, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7" };

test("a sign-up without the right code gets 403, and the page asks for the code", async () => {
  for (const code of [undefined, "", "sesame", "open sesame!", "OPEN SESAME"]) {
    const response = await new Visitor().request("/api/auth/signup", {
      json: { ...newcomer(), code },
      headers: behindProxy,
    });
    expect(response.status, String(code)).toBe(403);
  }
  expect(await db.$count(users)).toBe(0);
  const page = await (await new Visitor().request("/signup", { headers: behindProxy })).text();
  expect(page).toContain('name="code"');
  const form = { ...newcomer(), code: "sesame" };
  const refused = await new Visitor().request("/signup", { form, headers: behindProxy });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('value="sesame"');
});

test("behind TLS the session cookie is __Host-, Secure and SameSite=None, and only allowed origins may write with it", async () => {
  const visitor = new Visitor();
  const response = await visitor.request("/signup", {
    form: { ...newcomer(), code: " open sesame " },
    headers: behindProxy,
  });
  expect(response.status).toBe(302);
  const [cookie = ""] = response.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-engawa-session=/);
  expect(cookie).toMatch(/; Path=\/;/);
  for (const attribute of ["HttpOnly", "Secure", "SameSite=None"]) expect(cookie).toContain(attribute);
  expect(cookie).not.toContain("Domain");

  const session = await visitor.request("/api/auth/session", { headers: { Origin: "https://app.example" } });
  expect(session.headers.get("Access-Control-Allow-Origin")).toBe("https://app.example");
  expect(session.headers.get("Access-Control-Allow-Credentials")).toBe("true");
  expect(await session.json()).toMatchObject({ data: { user: { name: "Newcomer" } } });
  for (const [from, status] of [
    ["https://app.example", 200],
    [origin, 200],
    ["http://engawa.example", 403],
    ["https://evil.example", 403],
    ["null", 403],
  ] as const) {
    const out = await visitor.request("/api/auth/sessions", {
      method: "DELETE",
      json: { others: true },
      headers: { Origin: from },
    });
    expect(out.status, from).toBe(status);
  }
});

test("a sign-up through the provider gets 403 without the right code, and creates the account with it", async () => {
  const attempt = async (code?: string) => {
    people += 1;
    const subject = `invited-${people}`;
    provider.people.set(subject, { email: `${subject}@example.org`, email_verified: true, name: "Invited" });
    const visitor = new Visitor();
    const started = await visitor.request("/api/auth/provider", {
      form: code === undefined ? {} : { code },
      headers: behindProxy,
    });
    expect(started.headers.getSetCookie().join()).toMatch(/^__Host-engawa-provider-[\w-]{8}=.*Secure/);
    const back = new URL(await consentAt(started.headers.get("Location") ?? "", subject, redirectUri));
    return visitor.request(back.pathname + back.search);
  };
  expect((await attempt()).status).toBe(403);
  expect((await attempt("wrong")).status).toBe(403);
  const welcome = await attempt("open sesame");
  expect(welcome.status).toBe(302);
  expect(welcome.headers.get("Location")).toContain("/signup/profile");
});
