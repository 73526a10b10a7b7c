import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, getCurrentUser, member, owner } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import {
  deleteOtherSessions,
  deleteSessionById,
  findEndedSessionsText,
  listSessions,
} from "#app/domain/accounts/accounts.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";

export const middleware = [limited("user"), sameOrigin, member, owner];

const session = z
  .object({
    id: z.string(),
    current: z.boolean(),
    device: z.string(),
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
  })
  .meta({ id: "Session" });

const list = operation("GET", {
  tag: "Accounts",
  summary: "The user's sessions, latest first",
  description: "`notice` says so if the limit on sessions has ended the oldest ones within the last 30 days.",
  answer: success(z.array(session)).extend({ notice: z.string().optional() }),
  handle: async ({ context }) => {
    const { id: currentId, user } = getCurrentSession(context);
    const [sessions, notice] = await Promise.all([listSessions(user.id), findEndedSessionsText(user.id)]);
    const data = sessions.map(({ id, device, createdAt, lastSeenAt }) => ({
      id,
      current: id === currentId,
      device,
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
    }));
    return { ...succeed(data), ...(notice !== null && { notice }) };
  },
});

const end = operation("DELETE", {
  tag: "Accounts",
  summary: "Sign out one session, or all but this one",
  body: z.union(
    [z.object({ id: z.uuid() }), z.object({ others: z.literal([true, "true"]) })],
    "must have the id of a session, or others: true",
  ),
  forms: true,
  answer: success(messageObject),
  handle: async ({ body, context }) => {
    const userId = getCurrentUser(context).id;
    if ("id" in body) await deleteSessionById(userId, body.id, memberOf(context));
    else await deleteOtherSessions(userId, getCurrentSession(context).id, memberOf(context));
    return succeed({ message: "Session ended" });
  },
});

export const loader = serve(list, end);
export const action = loader;
