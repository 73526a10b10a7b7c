import { z } from "zod";
import { deleteSessionById, deleteSessions, listSessions } from "#app/domain/accounts/accounts.server.ts";
import { getCurrentSession, getCurrentUser, member } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { message, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";

export const middleware = [sameOrigin, member];

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
  answer: success(z.array(session)),
  handle: async ({ context }) => {
    const current = getCurrentSession(context).id;
    const sessions = await listSessions(getCurrentUser(context).id);
    return succeed(
      sessions.map(({ id, device, createdAt, lastSeenAt }) => ({
        id,
        current: id === current,
        device,
        created_at: createdAt.toISOString(),
        last_seen_at: lastSeenAt.toISOString(),
      })),
    );
  },
});

const end = operation("DELETE", {
  tag: "Accounts",
  summary: "Sign out one session, or all but this one",
  body: z.union([z.object({ id: z.uuid() }), z.object({ others: z.literal([true, "true"]) })]),
  forms: true,
  answer: success(message),
  handle: async ({ body, context }) => {
    const userId = getCurrentUser(context).id;
    if ("id" in body) await deleteSessionById(userId, body.id);
    else await deleteSessions(userId, { except: getCurrentSession(context).id });
    return succeed({ message: "Session ended" });
  },
});

export const loader = serve(list, end);
export const action = loader;
