import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import Provider, { type OidcContext } from "oidc-provider";
import { cookieHeader, keepCookies } from "#tests/support/requests/cookies.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/**
 * A certified OpenID provider on loopback. It signs in the account that the browser's `X-Account` header names. A test
 * uses `tamper` to change or replace one of the provider's answers.
 */

export type Person = { email?: string; email_verified?: boolean; name?: string; picture?: string };
type Json = Record<string, unknown>;
type Tamper = {
  /** Changes the token endpoint's answer. With "hang" the endpoint never answers. */
  token?: ((answer: TokenAnswer) => Promise<TokenAnswer> | TokenAnswer) | "hang";
  userinfo?: (claims: Json) => Json;
  discovery?: (metadata: Json) => Json;
  keys?: (keys: Json) => Json;
  /** Answers every request for `path` with these values instead of the provider's answer. */
  instead?: { path: string; status: number; headers?: Record<string, string>; body?: string };
};
type TokenAnswer = Json & { id_token: string };

export const client = { id: "engawa", secret: "kept between us: 100% + more_-." };
export const discoveryPath = "/.well-known/openid-configuration";

export async function startIdentityProvider(
  redirectUri: string,
  clientAuthentication = "client_secret_basic",
) {
  const people = new Map<string, Person>();
  const tamper: Tamper = {};
  /** The Authorization header of the last request to the token endpoint. */
  const seen: { authorization?: string | undefined } = {};
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key: JWK = { ...(await exportJWK(privateKey)), kid: "test", alg: "RS256", use: "sig" };
  const server = createServer((request, response) => void serve(request, response));
  const issuer = `http://127.0.0.1:${await listenLocally(server)}`;
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const provider = new Provider(issuer, configuration(redirectUri, clientAuthentication, key, people));
  const answer = provider.callback();

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? "";
    if (path.startsWith("/interaction/"))
      return provider.interactionFinished(request, response, {
        login: { accountId: String(request.headers["x-account"]) },
      });
    if (path === tamper.instead?.path)
      return response.writeHead(tamper.instead.status, tamper.instead.headers).end(tamper.instead.body);
    if (path === "/token") seen.authorization = request.headers.authorization;
    if (path === "/token" && tamper.token === "hang") return;
    const changes: Record<string, unknown> = {
      "/token": tamper.token,
      "/me": tamper.userinfo,
      [discoveryPath]: tamper.discovery,
      "/jwks": tamper.keys,
    };
    const change = changes[path];
    if (typeof change === "function") tamperWith(response, change as (json: never) => unknown);
    answer(request, response);
  }

  return {
    issuer,
    people,
    tamper,
    seen,
    /** Signs claims with the provider's key, or with another key under the same `kid`. */
    async sign(claims: Record<string, unknown>, { foreignKey = false } = {}) {
      const signingKey = foreignKey
        ? (await generateKeyPair("RS256")).privateKey
        : await importJWK(key, "RS256");
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "test" }).sign(signingKey);
    },
  };
}

const configuration = (
  redirectUri: string,
  clientAuthentication: string,
  key: JWK,
  people: Map<string, Person>,
) => ({
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: clientAuthentication,
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ["only for tests"] },
  features: { devInteractions: { enabled: false } },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
  pkce: { required: () => true },
  ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 600, Grant: 600 },
  findAccount: (_: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, ...people.get(id) }),
  }),
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  loadExistingGrant: async ({ oidc }: OidcContext) => {
    const about = { clientId: oidc.client.clientId, accountId: oidc.session.accountId };
    const grant = new oidc.provider.Grant(about);
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

/** The provider passes its whole answer to one call of `end`, so this replaces the answer there. */
function tamperWith(response: ServerResponse, change: (json: never) => unknown) {
  const end = response.end.bind(response);
  response.end = ((body?: string | Buffer) => {
    void Promise.resolve(change(JSON.parse(String(body)) as never)).then((changed) => {
      const text = JSON.stringify(changed);
      response.setHeader("Content-Length", Buffer.byteLength(text));
      end(text);
    });
    return response;
  }) as typeof response.end;
}

/** Walks through the provider's pages as a browser does and returns the callback URL that the provider redirects to. */
export async function consentAt(start: string, account: string, redirectUri: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let step = 0; step < 8; step++) {
    if (url.startsWith(redirectUri)) return url;
    const response = await fetch(url, {
      redirect: "manual",
      headers: { "X-Account": account, Cookie: cookieHeader(cookies) },
    });
    keepCookies(cookies, response.headers.getSetCookie());
    const location = response.headers.get("Location");
    if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error("the provider did not redirect to the callback");
}
