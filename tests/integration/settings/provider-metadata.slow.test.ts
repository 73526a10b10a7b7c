import { decodeJwt, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import {
  client,
  consentAt,
  discoveryPath,
  startIdentityProvider,
} from "#tests/support/servers/identity-provider.ts";

const origin = "http://localhost:3000";
const redirectUri = `${origin}/api/auth/callback`;
const provider = await startIdentityProvider(redirectUri, "client_secret_post");
process.env.PUBLIC_URL = origin;
process.env.OAUTH_ISSUER = provider.issuer;
process.env.OAUTH_CLIENT_ID = client.id;
process.env.OAUTH_CLIENT_SECRET = client.secret;
process.env.LOG_LEVEL = "error";
const { Visitor } = await import("#tests/support/requests/visitor.ts");

/** The application caches the first usable metadata, so the tests of unusable metadata come first. */
const weakMetadata = {
  id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
  token_endpoint_auth_methods_supported: ["client_secret_post"],
};
beforeEach(() => {
  for (const name of Object.keys(provider.tamper))
    delete provider.tamper[name as keyof typeof provider.tamper];
  provider.tamper.discovery = (metadata) => ({ ...metadata, ...weakMetadata });
});

type Browser = InstanceType<typeof Visitor>;
const start = (browser: Browser) => browser.request("/api/auth/provider", { json: {} });

async function signInAs(subject: string) {
  provider.people.set(subject, { email: `${subject}@example.org`, email_verified: true });
  const browser = new Visitor();
  const started = await start(browser);
  const back = new URL(await consentAt(started.headers.get("Location") ?? "", subject, redirectUri));
  const response = await browser.request(back.pathname + back.search);
  return { response, hasSession: browser.cookies.has("engawa-session") };
}

describe("a sign-in does not start, and no cookie is set,", () => {
  test.each([
    ["names another issuer", { issuer: "https://evil.example" }],
    ["names the issuer with an extra slash", { issuer: `${provider.issuer}/` }],
    ["names no issuer", { issuer: undefined }],
    ["names no keys", { jwks_uri: undefined }],
    ["names no token endpoint", { token_endpoint: undefined }],
    ["takes more than a megabyte", { padding: "x".repeat(1024 * 1024) }],
    ["has an authorization endpoint that is a script", { authorization_endpoint: "javascript:alert(1)" }],
    ["has a userinfo endpoint that is a file", { userinfo_endpoint: "file:///etc/passwd" }],
    ["lists its client authentication methods in another form", { token_endpoint_auth_methods_supported: 1 }],
  ])("when the provider's metadata %s", async (_, wrong) => {
    provider.tamper.discovery = (metadata) => ({ ...metadata, ...wrong });
    const browser = new Visitor();
    expect((await start(browser)).status).toBe(500);
    expect(browser.cookies.size).toBe(0);
  });

  test.each([
    ["an error", { status: 503, body: "{}" }],
    ["a redirect", { status: 302, headers: { Location: "/elsewhere" } }],
    ["a page", { status: 200, headers: { "Content-Type": "text/html" }, body: "<p>Hello</p>" }],
  ])("when discovery gives %s", async (_, instead) => {
    provider.tamper.instead = { path: discoveryPath, ...instead };
    const browser = new Visitor();
    expect((await start(browser)).status).toBe(500);
    expect(browser.cookies.size).toBe(0);
  });
});

const padded = <Answer extends object>(answer: Answer) => ({ ...answer, padding: "x".repeat(1024 * 1024) });

describe("a sign-in with usable metadata", () => {
  test.each([
    ["fails", { instead: { path: "/jwks", status: 503, body: "{}" } }],
    ["gives more than a megabyte", { keys: padded }],
  ])("while the URL of the keys %s it gets 500 and no session", async (_, wrong) => {
    Object.assign(provider.tamper, wrong);
    const { response, hasSession } = await signInAs("keys-down");
    expect(response.status).toBe(500);
    expect(hasSession).toBe(false);
  });

  test("works as soon as the keys can be fetched", async () => {
    const { response, hasSession } = await signInAs("keys-up");
    expect(response.status).toBe(302);
    expect(hasSession).toBe(true);
  });

  test.each([
    ["token answer", { token: padded }],
    [
      "claims",
      {
        // The site requests the provider's claims only if the ID token has no email.
        token: async (answer: { id_token: string }) => ({
          ...answer,
          id_token: await provider.sign({ ...decodeJwt(answer.id_token), email: undefined }),
        }),
        userinfo: padded,
      },
    ],
  ])("gets 500 and no session when the provider's %s take more than a megabyte", async (_, large) => {
    Object.assign(provider.tamper, large);
    const { response, hasSession } = await signInAs("verbose");
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      status: 500,
      error: "The sign-in provider does not answer",
    });
    expect(hasSession).toBe(false);
  });

  test("sends the secret in the body to a provider that accepts only client_secret_post", async () => {
    expect((await signInAs("post")).response.status).toBe(302);
    expect(provider.seen.authorization).toBeUndefined();
  });

  test.each([
    [
      "no signature",
      async (token: string) =>
        `${Buffer.from('{"alg":"none"}').toString("base64url")}.${token.split(".")[1]}.`,
    ],
    [
      "a signature made with the client's secret",
      (token: string) =>
        new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(client.secret)),
    ],
  ])("an id token with %s is refused, although the metadata allows it", async (_, forge) => {
    provider.tamper.token = async (answer) => ({ ...answer, id_token: await forge(answer.id_token) });
    const { response, hasSession } = await signInAs("forged");
    expect(response.status).toBe(400);
    expect(hasSession).toBe(false);
  });
});
