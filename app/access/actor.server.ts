import type { SignedInOperator } from "#app/domain/accounts/accounts.server.ts";
import type { Actor } from "#app/domain/events/events.server.ts";
import { type Context, ipBlockIn } from "#app/http/context.server.ts";
import { getCurrentSession } from "./guards/guard.server.ts";

/** The sender of a request, as the security events name it. */

export const memberOf = (context: Context): Actor => ({
  kind: "member",
  ip: ipBlockIn(context),
});

export function operatorOf(context: Context): SignedInOperator {
  const session = getCurrentSession(context);
  return {
    kind: "operator",
    ip: ipBlockIn(context),
    operatorId: session.user.id,
    session,
  };
}
