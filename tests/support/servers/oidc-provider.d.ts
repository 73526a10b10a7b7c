/** Types for the part of oidc-provider that the tests use. The package has none. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  type OidcContext = {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      provider: { Grant: new (about: { clientId: string; accountId: string }) => Grant };
    };
  };
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>;
  }
  export type { OidcContext };
}
