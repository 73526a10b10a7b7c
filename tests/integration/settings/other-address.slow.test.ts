import { expect, test } from "vitest";

/** PUBLIC_URL is set, and a person uses the site under another address. */

process.env.PUBLIC_URL = "https://watch.example.org";
const { request } = await import("#tests/support/site/in-process.ts");
const { newOperator } = await import("#tests/support/requests/visitor.ts");
const { qrCode } = await import("#app/routes/views/qr-code.server.ts");

const form = "application/x-www-form-urlencoded";
const host = "localhost:3000";
const post = (path: string, headers: Record<string, string>) =>
  request(path, { method: "POST", headers, body: "email=a%40example.org&password=Abc123!x" });

test.each([
  ["a browser without Sec-Fetch-Site", { Origin: `http://${host}` }],
  [
    "a browser with it",
    { Origin: "http://engawa.lan", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document" },
  ],
])(
  "a form of %s gets a page that names the address, from an endpoint and from a page",
  async (_, headers) => {
    for (const path of ["/api/auth/signin", "/api/auth/signup", "/api/auth/reset", "/settings/password"]) {
      const response = await post(path, { "Content-Type": form, ...headers });
      expect([response.status, response.headers.get("Content-Type")], path).toEqual([
        403,
        "text/html; charset=utf-8",
      ]);
      expect(response.headers.get("Cache-Control"), path).toContain("no-store");
      expect(await response.text(), path).toContain("The address of this site is https://watch.example.org.");
    }
  },
);

test("a program that sends JSON gets the same explanation as JSON", async () => {
  const response = await post("/api/auth/signin", {
    "Content-Type": "application/json",
    Origin: `http://${host}`,
  });
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: expect.stringContaining("https://watch.example.org"), status: 403 },
  ]);
});

test("a form on another site gets the usual refusal", async () => {
  for (const headers of [
    { Origin: "https://evil.example" },
    { Origin: `http://${host}`, "Sec-Fetch-Site": "cross-site" },
    { Origin: "null" },
  ]) {
    const response = await post("/api/auth/signin", { "Content-Type": form, ...headers });
    expect([response.status, await response.json()]).toEqual([
      403,
      { error: "Cross-site request refused", status: 403 },
    ]);
  }
});

test("an invitation is a link at the address of this site, and the same link as a QR code", async () => {
  const operator = await newOperator();
  const headers = { Origin: "https://watch.example.org" };
  const { email, password } = operator;
  await operator.request("/api/auth/signin", { json: { email, password }, headers });
  const made = await operator.request("/admin/invitations", {
    form: { intent: "make", note: "", uses: "1", days: "7" },
    headers,
  });
  const html = await made.text();
  const link = /https:\/\/watch\.example\.org\/signup#[\w-]{43}/.exec(html)?.[0] ?? "";
  expect(html).toContain(`<path d="${qrCode(link)?.path}"`);
});
