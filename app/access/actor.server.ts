import type { Actor } from "#app/domain/events/events.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { getCurrentUser } from "#app/http/guards/guard.server.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";

/** The sender of a request, as the security events name it. */

export const memberOf = (context: Context): Actor => ({
  kind: "member",
  ip: ipBlockOf(context.get(clientContext).ip),
});

export const operatorOf = (context: Context): Actor & { operatorId: string } => ({
  kind: "operator",
  ip: ipBlockOf(context.get(clientContext).ip),
  operatorId: getCurrentUser(context).id,
});
