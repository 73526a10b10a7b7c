import { listEventsOf, networkHash } from "#app/domain/events/events.server.ts";
import { eventTexts } from "#app/domain/events/events.ts";
import { type Context, ipBlockIn } from "#app/http/context.server.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";

const maxShown = 20;
const actorTexts = { member: "", operator: "by an operator", command: "by an operator" } as const;

/** The newest events of the member's own account. */
export async function listActivity(userId: string, context: Context) {
  const events = await listEventsOf(userId, maxShown);
  const now = new Date();
  const here = networkHash(ipBlockIn(context));
  return events.map(({ id, at, kind, actor, detail, networkHash: network }) => ({
    id,
    text: eventTexts[kind],
    time: at.toISOString(),
    facts: [
      timeAgoText(at, now),
      detail,
      actorTexts[actor] || (network === here ? "from the network you use now" : "from another network"),
    ].filter(Boolean),
  }));
}
