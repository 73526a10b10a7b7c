import { expect, test } from "vitest";
import { createApplication } from "#app/http/pipeline/application.server.ts";
import { pageMethods } from "#app/http/pipeline/page-methods.server.ts";
import { readIncomingRequest } from "#app/http/server/incoming-request.server.ts";
import { buildOf } from "#tests/support/site/tiny-site.ts";

let forms = 0;
const page = (path: string, action?: () => Response) => [
  path,
  {
    id: path,
    parentId: "root",
    path,
    module: { default: () => null, action },
  },
];
const build = buildOf({}, [pageMethods]);
Object.assign(
  build.routes,
  Object.fromEntries([
    page("form", () => {
      forms++;
      return new Response("sent");
    }),
    page("page"),
    page("*"),
  ]),
);
const application = createApplication({ build });

async function ask(method: string, target: string) {
  const incoming = readIncomingRequest({
    method,
    target,
    headers: { host: "site.example" },
    peerIp: "127.0.0.1",
    ownHost: "site.example",
    arrivedAt: performance.now(),
    signal: () => new AbortController().signal,
  });
  if (!incoming) throw new Error(`${target} is malformed`);
  const { status, headers } = await application.answerFromRouter(
    incoming,
    (url) => new Request(url, { method }),
  );
  const at = headers.findIndex((name) => name.toLowerCase() === "allow");
  return [status, headers[at + 1]];
}

test.each([
  "/form",
  "/FORM/",
  "/%66orm",
  "/x/../form",
  "/x/%2e%2e/form",
  "/./form",
  "/x\\..\\form",
  "/form.data",
  "/x/../form.data",
])("another method on the page at %s is not a sent form", async (target) => {
  for (const method of ["PUT", "PATCH", "DELETE"])
    expect(await ask(method, target)).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  expect(forms).toBe(0);
});

test("a page without a form allows no POST, and an unknown path gets no 405 with its methods", async () => {
  expect(await ask("PUT", "/x/../page")).toEqual([405, "GET, HEAD, OPTIONS"]);
  const [, allow] = await ask("PUT", "/nowhere");
  expect(allow).not.toBe("GET, HEAD, POST, OPTIONS");
});
