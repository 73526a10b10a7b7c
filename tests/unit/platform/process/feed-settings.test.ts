import { expect, test } from "vitest";
import { feedSettings, feedTokens } from "#app/platform/process/feed-settings.ts";
import { days, minutes } from "#app/platform/units.ts";

test("feeds are read with their kind, interval and address, in the order of the variable", () => {
  const text = "offline-database 7d https://example.org/a.json.zst,\n offline-database 30m /srv/b.jsonl , ";
  expect(feedSettings.parse(text)).toEqual([
    { kind: "offline-database", intervalMs: days(7), address: "https://example.org/a.json.zst" },
    { kind: "offline-database", intervalMs: minutes(30), address: "/srv/b.jsonl" },
  ]);
  expect(feedSettings.parse("")).toEqual([]);
});

test.each([
  ["offline-database 7d", "must be KIND INTERVAL ADDRESS"],
  ["manami 7d https://example.org/", "the kind must be offline-database"],
  ["jikan 7d /srv/pages", "the address must begin with http:// or https://"],
  ["offline-database 0m https://example.org/", "the interval must be"],
  ["offline-database weekly https://example.org/", "the interval must be"],
  ["offline-database 367d https://example.org/", "the interval must be"],
  ["offline-database 7d file:///etc/passwd", "the address must begin with"],
  ["offline-database 7d https://me:secret@example.org/", "the address must begin with"],
  ["offline-database 7d /a, offline-database 1d /a", "names the same address twice"],
  ["engawa 1h https://a.example, engawa 1h https://b.example", "can follow only one"],
])("%s is refused with a reason", (text, reason) => {
  const result = feedSettings.safeParse(text);
  expect(result.success).toBe(false);
  expect(result.error?.issues[0]?.message).toContain(reason);
});

test("a token belongs to a host, and a list without a token is refused", () => {
  const tokens = feedTokens.parse("Anime.example.org abc123, 127.0.0.1:3000 def456");
  expect([...tokens]).toEqual([
    ["anime.example.org", "abc123"],
    ["127.0.0.1:3000", "def456"],
  ]);
  expect(feedTokens.safeParse("anime.example.org").success).toBe(false);
});
