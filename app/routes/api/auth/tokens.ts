import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, getCurrentUser, grownUp, member } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import {
  createAccessToken,
  deleteAccessToken,
  listAccessTokens,
} from "#app/domain/sign-in/sign-in.server.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";

export const middleware = [limited("user"), sameOrigin, member, grownUp];

const scope = z.enum(["read", "write"]);
const token = z
  .object({
    id: z.string(),
    name: z.string(),
    scope,
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "AccessToken" });

const list = operation("GET", {
  tag: "Accounts",
  summary: "Personal access tokens, newest first",
  answer: success(z.array(token)),
  handle: async ({ context }) => {
    const tokens = await listAccessTokens(getCurrentUser(context).id);
    return succeed(tokens.map(tokenOnWire));
  },
});

const create = operation("POST", {
  tag: "Accounts",
  summary: "Make a personal access token",
  description: "Only this answer holds `token`. `read` allows GET only.",
  body: z.object({ name: z.string().trim().min(1).max(100), scope }),
  forms: true,
  status: 201,
  answer: success(token.extend({ token: z.string() }).meta({ id: "NewAccessToken" })),
  refuses: ["conflict"],
  handle: async ({ body, context }) => {
    const created = await createAccessToken(getCurrentSession(context), body, memberOf(context));
    if (!created.ok) return created;
    return succeed({ ...tokenOnWire(created.value), token: created.value.token });
  },
});

const revoke = operation("DELETE", {
  tag: "Accounts",
  summary: "Revoke a personal access token",
  body: z.object({ id: z.uuid() }),
  forms: true,
  answer: success(messageObject),
  handle: async ({ body, context }) => {
    await deleteAccessToken(getCurrentUser(context), body.id, memberOf(context));
    return succeed({ message: "Token revoked" });
  },
});

type Token = Awaited<ReturnType<typeof listAccessTokens>>[number];

const tokenOnWire = ({ id, name, scope, createdAt, lastUsedAt }: Token) => ({
  id,
  name,
  scope,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});

export const loader = serve(list, create, revoke);
export const action = loader;
