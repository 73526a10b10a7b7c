import type { BrowserContext } from "playwright";
import { expect } from "vitest";
import { whenFree } from "#tests/support/requests/when-free.ts";
import type { Site } from "#tests/support/site/running-site.ts";

/** Signs a browser up or in through the API, again if the site is too busy to hash the password. */

type Account = { email: string; password: string };

async function send({ request }: BrowserContext, url: string, data: Account): Promise<number> {
  return (await whenFree(() => request.post(url, { data }))).status();
}

export async function signUp(
  context: BrowserContext,
  { origin }: Pick<Site, "origin">,
  account: Account & { username: string },
) {
  expect(await send(context, `${origin}/api/auth/signup`, account)).toBe(201);
}

export async function signIn(context: BrowserContext, { origin }: Pick<Site, "origin">, account: Account) {
  expect(await send(context, `${origin}/api/auth/signin`, account)).toBe(200);
}
