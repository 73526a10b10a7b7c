import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from "jose";
import { CodeChallengeMethod, OAuth2Strategy } from "remix-auth-oauth2";
import { z } from "zod";
import type { ProviderProfile } from "../domain/accounts/accounts.server.ts";
import { newSecret } from "../platform/secrets.server.ts";
import {
  askProvider,
  ProviderDown,
  type ProviderMetadata,
  providerTimeout,
} from "./provider-metadata.server.ts";

/** The callback cannot be trusted, or the provider said no: a 400, and no session. */
export class ProviderRefused extends Error {
  override name = "ProviderRefused";
}

/** One started sign-in, as the browser's cookie keeps it. */
export type Attempt = { state: string; nonce: string; verifier: string };

type Client = {
  id: string;
  secret: string;
  redirectUri: string;
  /** The attempt that this very browser started, if it did. */
  readAttempt(request: Request): Promise<Attempt | null>;
};
type Tokens = OAuth2Strategy.VerifyOptions["tokens"];

const refused = (why: string, cause?: unknown) => new ProviderRefused(why, { cause });

/**
 * remix-auth-oauth2's strategy, made strict: a callback without state never starts over, the challenge is always S256,
 * the nonce, issuer, signature, audience and expiry are checked, and every wait ends.
 */
export class StrictProviderStrategy extends OAuth2Strategy<ProviderProfile> {
  override name = "provider";
  private readonly metadata: ProviderMetadata;
  private readonly provider: Client;
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(metadata: ProviderMetadata, provider: Client) {
    super(
      {
        clientId: provider.id,
        clientSecret: provider.secret,
        redirectURI: provider.redirectUri,
        authorizationEndpoint: metadata.authorization_endpoint,
        tokenEndpoint: metadata.token_endpoint,
        scopes: ["openid", "email", "profile"],
        codeChallengeMethod: CodeChallengeMethod.S256,
      },
      ({ tokens }) => readProfile(metadata, tokens),
    );
    this.metadata = metadata;
    this.provider = provider;
    this.keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: providerTimeout });
  }

  /** Where to send the browser, and what its cookie has to keep until it comes back. */
  start(): { url: URL; attempt: Attempt } {
    const { state, codeVerifier, url } = this.createAuthorizationURL();
    const nonce = newSecret();
    url.searchParams.set("nonce", nonce);
    return { url, attempt: { state, nonce, verifier: codeVerifier } };
  }

  /** Finishes an attempt. The base class would start another one when `state` is missing, for ever. */
  override async authenticate(request: Request): Promise<ProviderProfile> {
    const answer = new URL(request.url).searchParams;
    const attempt = await this.provider.readAttempt(request);
    if (!attempt) throw refused("this browser started nothing");
    this.checkAnswer(answer, attempt);
    const code = answer.get("code");
    if (!code) throw refused("the callback carries no code");
    const tokens = await this.validateAuthorizationCode(code, attempt.verifier);
    await this.checkIdToken(tokens, attempt.nonce);
    return this.verify({ request, tokens });
  }

  private checkAnswer(answer: URLSearchParams, attempt: Attempt) {
    if (answer.get("state") !== attempt.state) throw refused("the state belongs to another attempt");
    // RFC 9207: an answer that another provider gave must not be taken to this one.
    const issuer = answer.get("iss");
    if (issuer === null && this.metadata.authorization_response_iss_parameter_supported)
      throw refused("the answer does not say who gave it");
    if (issuer !== null && issuer !== this.metadata.issuer) throw refused("another issuer answered");
    if (answer.has("error")) throw refused("the provider answered with an error");
  }

  protected override async validateAuthorizationCode(code: string, verifier: string): Promise<Tokens> {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: this.provider.redirectUri,
      code_verifier: verifier,
    });
    const headers = this.authorizeClient(body);
    const { status, json } = await askProvider(this.metadata.token_endpoint, {
      method: "POST",
      body,
      headers,
    });
    if (status >= 500) throw new ProviderDown("the token endpoint failed");
    const tokens = tokenAnswer.safeParse(json);
    if (status !== 200 || !tokens.success) throw refused("the code was not accepted");
    return asTokens(tokens.data);
  }

  /** RFC 6749, 2.3.1: id and secret are form-encoded before they become Basic credentials. */
  private authorizeClient(body: URLSearchParams): Record<string, string> {
    const methods = this.metadata.token_endpoint_auth_methods_supported;
    if (!methods.includes("client_secret_basic") && methods.includes("client_secret_post")) {
      body.set("client_id", this.provider.id);
      body.set("client_secret", this.provider.secret);
      return {};
    }
    const pair = [this.provider.id, this.provider.secret].map(formEncoded).join(":");
    return { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  }

  /** OpenID Connect Core, 3.1.3.7. */
  private async checkIdToken(tokens: Tokens, nonce: string) {
    try {
      const { payload } = await jwtVerify(tokens.idToken(), this.keys, {
        issuer: this.metadata.issuer,
        audience: this.provider.id,
        algorithms: this.metadata.id_token_signing_alg_values_supported.filter((name) =>
          asymmetric.has(name),
        ),
        requiredClaims: ["sub", "exp", "iat", "nonce"],
        clockTolerance: 30,
      });
      const manyAudiences = Array.isArray(payload.aud) && payload.aud.length > 1;
      if (payload.nonce !== nonce) throw refused("the nonce belongs to another attempt");
      if (payload.azp === undefined ? manyAudiences : payload.azp !== this.provider.id)
        throw refused("the token was issued to another client");
    } catch (error) {
      if (
        error instanceof errors.JWKSTimeout ||
        !(error instanceof errors.JOSEError || error instanceof ProviderRefused)
      )
        throw new ProviderDown("the provider's keys could not be read", { cause: error });
      throw error instanceof ProviderRefused ? error : refused("the id token is not good", error);
    }
  }
}

const asymmetric = new Set([
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
]);

const formEncoded = (text: string) => new URLSearchParams({ _: text }).toString().slice(2);

const tokenAnswer = z.looseObject({ access_token: z.string(), id_token: z.string() });

/** The base class speaks of tokens in arctic's terms; these two are all that is asked for. */
const asTokens = (data: z.output<typeof tokenAnswer>) =>
  ({ data, idToken: () => data.id_token, accessToken: () => data.access_token }) as unknown as Tokens;

const text = z.string().optional().catch(undefined);
const profileClaims = z.object({
  sub: z
    .string()
    .min(1)
    .max(255)
    .refine((subject) => subject.isWellFormed() && !subject.includes("\0")),
  email: text,
  // Some providers write the word.
  email_verified: z.union([z.boolean(), z.stringbool()]).catch(false),
  name: text,
  preferred_username: text,
  nickname: text,
  picture: text,
});

/** The id token's claims; what it leaves out, the userinfo endpoint tells. */
async function readProfile(metadata: ProviderMetadata, tokens: Tokens): Promise<ProviderProfile> {
  const fromToken = decodeJwt(tokens.idToken());
  const claims = profileClaims.safeParse({
    ...("email" in fromToken ? {} : await askUserinfo(metadata, tokens, fromToken.sub)),
    ...fromToken,
  });
  if (!claims.success) throw refused("the provider's claims cannot be used");
  const { sub, email, email_verified, name, preferred_username, nickname, picture } = claims.data;
  return {
    issuer: metadata.issuer,
    subject: sub,
    email: email ?? null,
    emailVerified: email_verified,
    names: [name, preferred_username, nickname].filter((one) => one !== undefined),
    picture: picture ?? null,
  };
}

async function askUserinfo(
  { userinfo_endpoint: endpoint }: ProviderMetadata,
  tokens: Tokens,
  subject?: string,
) {
  if (!endpoint) return {};
  const { status, json } = await askProvider(endpoint, {
    headers: { Authorization: `Bearer ${tokens.accessToken()}` },
  });
  const claims = z.looseObject({ sub: z.string() }).safeParse(json);
  if (status !== 200 || !claims.success) throw new ProviderDown("the userinfo endpoint failed");
  // OpenID Connect Core, 5.3.2: a swapped access token would bring somebody else's claims.
  if (claims.data.sub !== subject) throw refused("the userinfo is about somebody else");
  return claims.data;
}
