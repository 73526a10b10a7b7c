import { expect, test } from "vitest";
import { request } from "#tests/support/site/in-process.ts";

test("a page has a content security policy that allows only its own scripts", async () => {
  // With an accent of one's own, the page is made for this visitor alone.
  const response = await request("/", { headers: { Cookie: "visitor=enfasis=%23ff0000" } });
  const html = await response.text();
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1];
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(policy).not.toContain("unsafe-inline");
  expect(html).toContain(`nonce="${nonce}"`);
  expect([...html.matchAll(/<script(?![^>]*nonce=)[^>]*>/g)]).toEqual([]);
  expect(html).not.toMatch(/<[^>]+ style=/);
});

test("an endpoint's JSON has no-store, nosniff and a policy that allows nothing", async () => {
  const response = await request("/healthz");
  expect(await response.json()).toEqual({ status: "ok" });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
});
