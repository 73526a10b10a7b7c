import { expect, test } from "vitest";
import {
  carriesRestrictedSession,
  carriesSession,
  sessionCookie,
} from "#app/http/guards/session-cookie.server.ts";
import { minutes } from "#app/platform/units.ts";
import { contextOfClient } from "#tests/support/requests/client-context.ts";

const secret = "s".repeat(43);

async function cookieOf(isRestricted: boolean, origin: string) {
  const context = contextOfClient({ origin });
  const [pair = ""] = (await sessionCookie({ secret, isRestricted }, minutes(1), context)).split(";");
  return pair;
}

test.each(["http://localhost:3000", "https://engawa.example"])(
  "the cookie of a restricted session is known by its mark on %s, among others, in quotes and spelled in another way",
  async (origin) => {
    const cookie = await cookieOf(true, origin);
    const [name, value] = [cookie.slice(0, cookie.indexOf("=")), cookie.slice(cookie.indexOf("=") + 1)];
    const respelled = [...value].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
    for (const cookies of [
      cookie,
      `visitor=a; ${cookie}; theme=dark`,
      `a=b;${name} = "${value}"`,
      `${name}=${respelled}`,
    ])
      expect(carriesRestrictedSession(cookies), cookies).toBe(true);
  },
);

test("other sessions, and requests without one, are not restricted", async () => {
  for (const cookies of [
    await cookieOf(false, "http://localhost:3000"),
    `other-session=${(await cookieOf(true, "http://localhost:3000")).split("=")[1]}`,
    "engawa-session=%E0%A4%A; engawa-session=",
    "",
    null,
  ])
    expect(carriesRestrictedSession(cookies), cookies ?? "no cookie").toBe(false);
});

test("any cookie with session in its name may be a session", () => {
  for (const cookies of ["a=b; Engawa-Session \t= x", "__Host-engawa-session=", "other_sessions=1"])
    expect(carriesSession(cookies), cookies).toBe(true);
  for (const cookies of ["theme=session", "a=b=session", "", null])
    expect(carriesSession(cookies), cookies ?? "no cookie").toBe(false);
});

test("a header of the word session without a cookie does not stop the process", () => {
  expect(carriesSession("session".repeat(200_000))).toBe(true);
  expect(carriesSession(`a=${"session".repeat(200_000)}`)).toBe(false);
});
