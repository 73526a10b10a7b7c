import type { Actor } from "#app/domain/events/events.server.ts";
import { type Context, ipBlockIn } from "#app/http/context.server.ts";
import { getCurrentUser } from "./guards/guard.server.ts";

/** The sender of a request, as the security events name it. */

export const memberOf = (context: Context): Actor => ({
  kind: "member",
  ip: ipBlockIn(context),
});

export const operatorOf = (context: Context): Actor & { operatorId: string } => ({
  kind: "operator",
  ip: ipBlockIn(context),
  operatorId: getCurrentUser(context).id,
});
