import { describe, expect, test } from "vitest";
import { newMember } from "#tests/support/requests/visitor.ts";
import { newAddress, request } from "#tests/support/site/in-process.ts";

/** The router answers many spellings of one path. A route's middleware must apply to all of them. */

const spellings = (path: string, id: string) => {
  const at = path.lastIndexOf("/") + 1;
  const encoded = `${path.slice(0, at)}%${path.charCodeAt(at).toString(16)}${path.slice(at + 1)}`;
  const query = `_routes=${encodeURIComponent(id)}`;
  return [
    path,
    `${path}/`,
    path.toUpperCase(),
    encoded,
    path.replaceAll("/", "//"),
    `${path.slice(0, at)}x/../${path.slice(at)}`,
    `${path}.data`,
    `${encoded}.data`,
    `${path}.data?${query}`,
    `${path}.data?_routes=root`,
    `${path}?${query}`,
    `${path}?index`,
    `${path}/_.data`,
    `/_root.data?${query}`,
  ];
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const tokenPaths = spellings("/api/auth/tokens", "routes/api/auth/tokens");

test("a member gets 200", async () => {
  const member = await newMember();
  expect((await member.request("/api/auth/tokens")).status).toBe(200);
});

describe("a visitor gets no data with any method", () => {
  test.each(tokenPaths)("%s", async (path) => {
    for (const method of methods) {
      const body = method === "GET" || method === "HEAD" ? {} : { body: '{"name":"a","scope":"write"}' };
      const response = await request(path, {
        method,
        headers: { "Content-Type": "application/json" },
        ...body,
      });
      const text = await response.text();
      expect(response.status, method).toBeLessThan(500);
      expect(text, `${method} ${response.status}`).not.toContain("success");
    }
  });
});

test("all spellings of one path charge one limiter", async () => {
  const address = newAddress();
  const remaining: number[] = [];
  for (const path of spellings("/api/animes/full", "routes/api/animes/full")) {
    const response = await request(path, { address });
    const left = response.headers.get("X-RateLimit-Remaining");
    if (response.ok && (await response.text()).includes("total_items")) expect(left, path).not.toBeNull();
    if (left !== null) remaining.push(Number(left));
  }
  expect(remaining.length).toBeGreaterThan(5);
  expect(remaining).toEqual(remaining.map((_, at) => (remaining[0] ?? 0) - at));
});

test("the data that the router asks of an endpoint is its answer", async () => {
  const answer = await request("/api/animes/full.data?limit_count=1");
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("total_items")]);
});
