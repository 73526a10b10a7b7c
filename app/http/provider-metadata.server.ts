import { z } from "zod";
import { hours, seconds } from "../platform/duration.ts";

/** What the external identity provider says of itself (OpenID Connect Discovery 1.0). */

const endpoint = z.url({ protocol: /^https?$/ });
const metadataShape = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  id_token_signing_alg_values_supported: z.array(z.string()).default(["RS256"]),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});

export type ProviderMetadata = z.output<typeof metadataShape>;

/** The provider, or the network to it, failed: nobody's fault who signs in. */
export class ProviderDown extends Error {
  override name = "ProviderDown";
}

export const providerTimeout = seconds(5);

/** Asks the provider for JSON: in bounded time, following nobody elsewhere. */
export async function askProvider(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; json: unknown }> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "error",
      signal: init.signal ?? AbortSignal.timeout(providerTimeout),
      headers: { Accept: "application/json", ...init.headers },
    });
    return { status: response.status, json: await response.json() };
  } catch (error) {
    throw new ProviderDown("the provider did not answer", { cause: error });
  }
}

let known: { issuer: string; until: number; metadata: Promise<ProviderMetadata> } | undefined;

/** Kept for an hour; a failure is not kept at all. */
export function providerMetadata(issuer: string): Promise<ProviderMetadata> {
  if (known?.issuer === issuer && known.until > Date.now()) return known.metadata;
  const asked = { issuer, until: Date.now() + hours(1), metadata: discover(issuer) };
  known = asked;
  asked.metadata.catch(() => {
    if (known === asked) known = undefined;
  });
  return asked.metadata;
}

async function discover(issuer: string): Promise<ProviderMetadata> {
  const { status, json } = await askProvider(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const parsed = metadataShape.safeParse(json);
  if (status !== 200 || !parsed.success) throw new ProviderDown("the provider's metadata cannot be used");
  // A document that speaks for another issuer would let that one sign people in here.
  if (parsed.data.issuer !== issuer) throw new ProviderDown("the provider's metadata names another issuer");
  return parsed.data;
}
