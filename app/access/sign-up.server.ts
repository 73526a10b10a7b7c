import type { SignUpPass } from "#app/domain/sign-in/sign-in.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";

/** What this request brings along to make an account. */
export const signUpPassOf = (
  context: Context,
  { code, invitation }: { code?: string | undefined; invitation?: string | undefined } = {},
): SignUpPass => ({ code, invitation, isLocal: context.get(clientContext).mayReachLoopback });
