import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { refuse } from "#app/domain/errors.ts";
import { privateNoStore, publicFor } from "#app/http/cache-policy.server.ts";
import { type AnswerState, answerStateContext } from "#app/http/context.server.ts";
import { type ErrorShape, errorJson } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { contextOfClient } from "#tests/support/requests/client-context.ts";

const greet = operation("GET", {
  tag: "Test",
  summary: "Greets",
  query: z.object({ name: z.string().max(10), times: z.coerce.number().int().max(3).default(1) }),
  answer: z.object({ greeting: z.string() }),
  handle: async ({ query }) =>
    query.name === "nobody"
      ? refuse("not_found", "Nobody is here")
      : { greeting: query.name.repeat(query.times) },
});
const rename = operation("POST", {
  tag: "Test",
  summary: "Renames",
  body: z.object({ name: z.string() }),
  forms: true,
  bodyLimit: 400,
  answer: z.object({ name: z.string() }),
  handle: async ({ body }) => body,
});
const endpoint = serve(greet, rename);

async function call(path: string, init?: RequestInit) {
  const context = new RouterContextProvider();
  context.set(answerStateContext, {});
  const response = await endpoint({
    request: new Request(`http://engawa.test${path}`, init),
    params: {},
    context,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: response.body && (await response.json()),
  };
}
const post = (body: BodyInit, type?: string) =>
  call("/", { method: "POST", body, ...(type && { headers: { "Content-Type": type } }) });

test("a valid query gets the handler's answer, which is not cached by default", async () => {
  const { status, body, headers } = await call("/?name=ah&times=2");
  expect([status, body, headers.get("Cache-Control")]).toEqual([200, { greeting: "ahah" }, "no-store"]);
});

test("the first of repeated parameters counts, and __proto__ is a plain name", async () => {
  expect((await call("/?name=a&name=b&__proto__=x&constructor=y")).body).toEqual({ greeting: "a" });
});

test("issues are in plain words, and a missing field is reported as missing", async () => {
  expect((await call("/?times=x")).body.issues).toEqual([
    { path: "name", message: "is missing" },
    { path: "times", message: "must be a number" },
  ]);
  expect((await call("/?name=01234567890")).body.error).toBe("name: must have at most 10 characters");
  expect((await call("/?name=a&times=4")).body.error).toBe("times: must be at most 3");
  expect((await post("[]", "application/json")).body.error).toBe("The body must be an object");
  expect((await post('{"name":1}', "application/json")).body.error).toBe("name: must be a text");
});

test.each(["/", "/?name=", "/?name=01234567890", "/?name=a&times=x", "/?name=a&times=1e9", "/?name=%00"])(
  "%s gets 400 with issues",
  async (path) => {
    const { status, body } = await call(path);
    expect([status, body.status]).toEqual([400, 400]);
    expect(body.issues.length).toBeGreaterThan(0);
  },
);

test("a refusal of the domain gets its status", async () => {
  expect((await call("/?name=nobody")).body).toEqual({ error: "Nobody is here", status: 404 });
});

test("a body of several forms has the issues of the one form that its kind allows", async () => {
  const text = z.string().transform((name) => ({ name }));
  const answer = z.object({ name: z.string() });
  const rename = (body: z.ZodType<{ name: string }>) =>
    operation("POST", { tag: "Test", summary: "Renames", body, answer, handle: async (input) => input.body });
  const issuesOf = async (form: z.ZodType<{ name: string }>, json: unknown) => {
    const context = new RouterContextProvider();
    context.set(answerStateContext, {});
    const headers = { "Content-Type": "application/json" };
    const request = new Request("http://engawa.test/", {
      method: "POST",
      headers,
      body: JSON.stringify(json),
    });
    return (await (await serve(rename(form))({ request, params: {}, context })).json()).issues;
  };
  const name = z.object({ name: z.string() });
  expect(await issuesOf(z.union([text, name]), { name: 5 })).toEqual([
    { path: "name", message: "must be a text" },
  ]);
  const forms = z.union([name, z.object({ title: z.string() }).transform(({ title }) => ({ name: title }))]);
  for (const json of [{}, 5])
    expect(await issuesOf(forms, json)).toEqual([
      { path: "", message: "The body has none of the accepted forms" },
    ]);
});

test("JSON and forms are accepted as body", async () => {
  expect((await post('{"name":"n"}', "application/json; charset=utf-8")).body).toEqual({ name: "n" });
  expect((await post(new URLSearchParams({ name: "f" }))).body).toEqual({ name: "f" });
  const form = new FormData();
  form.set("name", "m");
  expect((await post(form)).body).toEqual({ name: "m" });
});

test.each([
  ["{", "application/json", 400],
  ["", "application/json", 400],
  ["[1]", "application/json", 400],
  ["null", "application/json", 400],
  ['{"name":"\\ud800"}', "application/json", 400],
  ['{"name":"a\\u0000"}', "application/json", 400],
  ["\xff\xfe", "application/json", 400],
  ["name=x", "text/plain", 415],
  [`{"name":"${"x".repeat(500)}"}`, "application/json", 413],
])("the body %j as %s gets %i", async (body, type, status) => {
  expect((await post(body, type)).status).toBe(status);
});

test("a compressed body gets 415, which says what to send", async () => {
  const send = (encoding: string) => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": encoding };
    return call("/", { method: "POST", headers, body: '{"name":"n"}' });
  };
  expect((await send("gzip")).body).toEqual({
    error: "Send the body without a Content-Encoding",
    status: 415,
  });
  expect((await send("identity")).status).toBe(200);
});

test("another method gets 405 with Allow, in JSON", async () => {
  const { status, headers, body } = await call("/", { method: "DELETE" });
  expect([status, headers.get("Allow"), body.status]).toEqual([405, "GET, POST, HEAD, OPTIONS", 405]);
});

test("an answer that depends on the session is public without a session and private with one", async () => {
  const list = operation("GET", {
    tag: "Test",
    summary: "Lists",
    query: z.object({ all: z.string().optional() }),
    answer: z.object({}),
    cache: publicFor(1000),
    isPersonal: ({ all }) => all === "1",
    handle: async () => ({}),
  });
  const policyOf = async (path: string, cookie?: string) => {
    const context = new RouterContextProvider();
    const answerState: AnswerState = {};
    context.set(answerStateContext, answerState);
    const headers: HeadersInit = cookie === undefined ? {} : { Cookie: cookie };
    await serve(list)({
      request: new Request(`http://engawa.test${path}`, { headers }),
      params: {},
      context,
    });
    return answerState.cache;
  };
  const session = "engawa-session=abc";
  expect(await policyOf("/?all=1")).toEqual({ ...publicFor(1000), isForSessionless: true });
  expect(await policyOf("/?all=1", session)).toEqual(privateNoStore);
  for (const cookie of [undefined, session]) expect(await policyOf("/", cookie)).toEqual(publicFor(1000));
});

test("an answer to a query with an unknown parameter is never cached in the process", async () => {
  const query = z.object({ page: z.string().optional(), word: z.string().optional() });
  const hasUnknown = async (schema: z.ZodType | undefined, path: string) => {
    const list = operation("GET", {
      tag: "Test",
      summary: "Lists",
      answer: z.object({}),
      cache: publicFor(1000),
      repeats: ["word"],
      ...(schema && { query: schema }),
      handle: async () => ({}),
    });
    const context = new RouterContextProvider();
    const answerState: AnswerState = {};
    context.set(answerStateContext, answerState);
    await serve(list)({ request: new Request(`http://engawa.test${path}`), params: {}, context });
    return answerState.hasUnknownParameters ?? false;
  };
  expect(await hasUnknown(query, "/?page=1&word[]=a&word[]=b")).toBe(false);
  expect(await hasUnknown(query, "/?page=1&x=1")).toBe(true);
  expect(await hasUnknown(query, "/?constructor=1")).toBe(true);
  expect(
    await hasUnknown(
      query.transform((value) => value),
      "/?page=1",
    ),
  ).toBe(false);
  expect(
    await hasUnknown(
      query.transform((value) => value),
      "/?x=1",
    ),
  ).toBe(true);
  expect(await hasUnknown(undefined, "/?x=1")).toBe(true);
});

test("an endpoint with an error shape uses it for failures, but not for refusals", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const failing = operation("GET", {
    tag: "Test",
    summary: "Fails",
    query: z.object({ refuse: z.string().optional() }),
    answer: z.object({}),
    errorShape: Object.assign(
      ({ status, message }: Parameters<ErrorShape>[0]) => errorJson(status, { problem: message }),
      { schema: z.object({ problem: z.string() }) },
    ),
    handle: async ({ query }) => {
      if (query.refuse) return refuse("not_found");
      throw new Error("broken");
    },
  });
  const answers = await Promise.all(
    ["/", "/?refuse=1"].map(async (path) => {
      const context = contextOfClient();
      context.set(answerStateContext, {});
      const request = new Request(`http://engawa.test${path}`);
      const response = await serve(failing)({ request, params: {}, context });
      return [response.status, response.headers.get("Cache-Control"), await response.json()];
    }),
  );
  expect(answers).toEqual([
    [500, "no-store", { problem: "Internal server error" }],
    [404, "no-store", { error: "Not found", status: 404 }],
  ]);
  said.mockRestore();
});
