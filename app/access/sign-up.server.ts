import type { SignUpPass } from "#app/domain/joining/joining.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";

/** The code, invitation or local access with which this request may create an account. */
export const signUpPassOf = (
  context: Context,
  { code, invitation }: { code?: string | undefined; invitation?: string | undefined } = {},
): SignUpPass => ({ code, invitation, isLocal: context.get(clientContext).mayReachLoopback });
