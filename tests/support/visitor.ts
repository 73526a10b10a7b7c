import { origin as localOrigin, newAddress, request } from "./app.ts";

/** Somebody with a browser: keeps cookies, stays at one address, and says where its writes come from. */

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
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  private keep(lines: string[]) {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      const isGone = attributes.some(
        (one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one),
      );
      if (isGone) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

export const goodPassword = "Abc123!x";
let members = 0;

/** A visitor who has just signed up. */
export async function newMember(about: { username?: string; email?: string; password?: string } = {}) {
  members += 1;
  const visitor = new Visitor();
  const account = {
    username: about.username ?? `Member ${members}`,
    email: about.email ?? `member-${members}@example.org`,
    password: about.password ?? goodPassword,
  };
  const response = await visitor.request("/api/auth/signup", { json: account });
  if (response.status !== 201)
    throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { user: { id: string; email: string; name: string } } };
  return Object.assign(visitor, { ...account, id: data.user.id });
}
