import { eq } from "drizzle-orm";
import { inject } from "vitest";
import { signedInHeaders } from "#app/access/answer-sign-in.server.ts";
import { createSession } from "#app/domain/accounts/sessions/sessions.server.ts";
import { hashCost } from "#app/domain/sign-in/credentials/password-hashing.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { credentials, users } from "#db/schema/accounts.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { contextOfClient } from "#tests/support/requests/client-context.ts";
import { cookieHeader, keepCookies } from "#tests/support/requests/cookies.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { origin as localOrigin, newAddress, request } from "#tests/support/site/in-process.ts";

/** A person with a browser: keeps cookies, has one IP address and sends the Origin header with every write. */

type Init = Omit<RequestInit, "body"> & { json?: unknown; form?: Record<string, string>; body?: BodyInit };

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly address: string;

  constructor(address = newAddress()) {
    this.address = address;
  }

  async request(path: string, { json, form, ...init }: Init = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0 && !headers.has("Cookie")) headers.set("Cookie", this.cookieHeader);
    const method = init.method ?? (json !== undefined || form ? "POST" : "GET");
    if (method !== "GET" && !headers.has("Origin")) headers.set("Origin", localOrigin);
    if (json !== undefined) headers.set("Content-Type", "application/json");
    const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form) : init.body;
    // Every browser sends the length of the body. A body of unknown length counts as an upload.
    if (body !== undefined && (json !== undefined || form))
      headers.set("Content-Length", String(Buffer.byteLength(String(body))));
    const response = await request(path, {
      ...init,
      method,
      headers,
      address: this.address,
      ...(body !== undefined && { body }),
    });
    this.keep(response.headers.getSetCookie());
    return response;
  }

  get cookieHeader() {
    return cookieHeader(this.cookies);
  }

  keep(lines: string[]) {
    keepCookies(this.cookies, lines);
  }
}

let members = 0;

const newAccount = (fields: { username?: string; email?: string }) => {
  members += 1;
  return { username: `Member ${members}`, email: `member-${members}@example.org`, ...fields };
};

/**
 * A visitor who is signed in to a new account. This writes the account to the database with a cheap password hash, because
 * that of a real sign-up takes much processor time. Its row names the real cost, so that a sign-in does not hash it again.
 */
export async function newMember(fields: { username?: string; email?: string } = {}) {
  const visitor = new Visitor();
  const { username, email } = newAccount(fields);
  const id = await withTransaction(async (transaction) => {
    const [user] = await transaction
      .insert(users)
      .values({ email, username, name: username })
      .returning({ id: users.id });
    const hash = inject("goodPasswordHash");
    await transaction.insert(credentials).values({ userId: user!.id, hash, cost: hashCost });
    return user!.id;
  });
  await openSession(visitor, id);
  return Object.assign(visitor, { username, email, password: goodPassword, id });
}

export type Member = Awaited<ReturnType<typeof newMember>>;

export async function newOperator(fields: Parameters<typeof newMember>[0] = {}) {
  const operator = await newMember(fields);
  await db.update(users).set({ role: "operator" }).where(eq(users.id, operator.id));
  return operator;
}

/** A member who sees mature titles, if the request asks for them. */
export async function newGrownUp() {
  const member = await newMember();
  await setParentalControl(member, false);
  return member;
}

export const setParentalControl = (member: Visitor, parentalControl: boolean) =>
  dataOf(member.request("/api/saveUserPreferences", { json: { parentalControl } }));

/** A new visitor who has tried to sign in, and the status of the answer. */
export async function signIn(email: string, password: string) {
  const visitor = new Visitor();
  const { status } = await visitor.request("/api/auth/signin", { json: { email, password } });
  return { visitor, status };
}

type Session = Record<string, unknown> & { user: Record<string, unknown> & { id: string } };

/** The session of the browser; null if nobody is signed in. */
export async function sessionOf(visitor: Pick<Visitor, "request">): Promise<Session | null> {
  const answer = await visitor.request("/api/auth/session");
  return ((await answer.json()) as { data: Session | null }).data;
}

/** Signs in to the account without its password. */
export async function openSession(visitor: Visitor, accountId: string): Promise<void> {
  const session = await createSession(accountId, { ip: visitor.address, userAgent: null });
  const context = contextOfClient({ ip: visitor.address, origin: localOrigin });
  const headers = await signedInHeaders(session!, new Request(localOrigin), context);
  visitor.keep(headers.getSetCookie());
}

/** A visitor who has just signed up through the API. */
export async function signUpMember({
  password = goodPassword,
  ...fields
}: {
  username?: string;
  email?: string;
  password?: string;
} = {}) {
  const visitor = new Visitor();
  const account = { ...newAccount(fields), password };
  const response = await visitor.request("/api/auth/signup", { json: account });
  if (response.status !== 201)
    throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { user: { id: string; email: string; name: string } } };
  return Object.assign(visitor, { ...account, id: data.user.id });
}
