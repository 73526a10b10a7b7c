import { once } from "node:events";
import { connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket, sendRaw, statusesIn } from "#tests/support/requests/raw-http.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

/** Malformed and unusual requests: each gets an answer, and none ends the process. */

const site = await listenTinySite({
  routes: {
    where: ({ request }) => Response.json({ url: request.url, host: request.headers.get("Host") }),
    "echo/:rest": async ({ request }) => new Response(await request.text()),
    breaks: () => {
      throw new Error("a defect");
    },
  },
});
afterAll(() => site.close());

const closing = "Host: site.example\r\nConnection: close\r\n\r\n";
const ask = (start: string, headers = closing) => sendRaw(site.port, `${start}\r\n${headers}`);

describe("the status of a request line with", () => {
  test.each([
    ["two slashes", "GET // HTTP/1.1", 200],
    ["slashes and a foreign host", "GET //evil.example/where HTTP/1.1", 404],
    ["a backslash", "GET /\\evil.example HTTP/1.1", 404],
    ["an asterisk", "OPTIONS * HTTP/1.1", 204],
    ["an asterisk and GET", "GET * HTTP/1.1", 400],
    ["no leading slash", "GET where HTTP/1.1", 400],
    ["a fragment", "GET /where#part HTTP/1.1", 400],
    ["bad percent-encoding", "GET /%zz HTTP/1.1", 400],
    ["percent-encoded bytes that are not UTF-8", "GET /%ff HTTP/1.1", 400],
    ["a percent-encoded line feed", "GET /media/%0a.mkv HTTP/1.1", 400],
    ["a percent-encoded line separator", "GET /media/%e2%80%a8.mkv HTTP/1.1", 400],
    ["an encoded NUL", "GET /where%00 HTTP/1.1", 400],
    ["an encoded NUL in the query", "GET /where?a=%00 HTTP/1.1", 200],
    ["bad percent-encoding in the query", "GET /where?a=%zz HTTP/1.1", 200],
    ["raw UTF-8", Buffer.from("GET /where?a=縁側 HTTP/1.1", "utf8").toString("latin1"), 400],
    ["TRACE", "TRACE /where HTTP/1.1", 405],
    ["a WebDAV method", "PROPFIND /where HTTP/1.1", 405],
    ["an unknown method", "FETCH /where HTTP/1.1", 400],
    ["an unknown HTTP version", "GET /where HTTP/9.9", 400],
    ["dot segments above the root", "GET /../../etc/passwd HTTP/1.1", 404],
    ["a URL of 12 kB", `GET /where?${"a".repeat(12_000)} HTTP/1.1`, 200],
    ["a URL of 100 kB", `GET /where?${"a".repeat(100_000)} HTTP/1.1`, 431],
  ])("%s", async (_name, line, status) => {
    expect(statusesIn(await sendRaw(site.port, Buffer.from(`${line}\r\n${closing}`, "latin1")))).toEqual([
      status,
    ]);
  });
});

describe("a request line", () => {
  test("with an absolute target decides the host, whatever the Host header says", async () => {
    expect(await ask("GET http://other.example:81/where?a=1 HTTP/1.1")).toContain(
      '"url":"http://other.example:81/where?a=1","host":"other.example:81"',
    );
    expect(statusesIn(await ask("GET http:///where HTTP/1.1"))).toEqual([400]);
    expect(statusesIn(await ask("GET http://user@other.example/where HTTP/1.1"))).toEqual([400]);
  });

  test("that the parser cannot read gets 400 in JSON, and the connection closes", async () => {
    const answer = await ask("FOO /where HTTP/1.1");
    expect(statusesIn(answer)).toEqual([400]);
    expect(answer).toContain("Content-Type: application/json");
    expect(answer).toContain("Connection: close");
    expect(answer.endsWith('\r\n\r\n{"error":"Bad request","status":400}')).toBe(true);
  });

  test("with CONNECT gets 405", async () => {
    expect(statusesIn(await ask("CONNECT other.example:443 HTTP/1.1"))).toEqual([405]);
  });

  test.each(["CONNECT other.example:443", "FOO /where"])(
    "with %s ends the connection, even if the client never closes it",
    async (start) => {
      const socket = connect({ port: site.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      socket.write(`${start} HTTP/1.1\r\nHost: site.example\r\n\r\n`);
      await once(socket, "readable");
      const countConnections = promisify(site.server.getConnections.bind(site.server));
      await until(async () => (await countConnections()) === 0);
      socket.destroy();
    },
  );
});

describe("the status of a request with a Host header that is", () => {
  test.each([
    ["missing", "Connection: close\r\n\r\n", 400],
    ["empty", "Host:\r\nConnection: close\r\n\r\n", 400],
    ["twice", `Host: site.example\r\n${closing}`, 400],
    ["written with a space", "Host: a b\r\nConnection: close\r\n\r\n", 400],
    ["written with a path", "Host: a/b\r\nConnection: close\r\n\r\n", 400],
    ["written with credentials", "Host: a@b\r\nConnection: close\r\n\r\n", 400],
    ["an invalid IP address", "Host: 999.1.1.1\r\nConnection: close\r\n\r\n", 400],
    ["written with a port out of range", "Host: a:99999\r\nConnection: close\r\n\r\n", 400],
    ["an IPv6 address", "Host: [::1]:80\r\nConnection: close\r\n\r\n", 200],
  ])("%s", async (_name, headers, status) => {
    expect(statusesIn(await ask("GET /where HTTP/1.1", headers))).toEqual([status]);
  });

  test("missing in HTTP/1.0 is 200", async () => {
    expect(statusesIn(await ask("GET /where HTTP/1.0", "\r\n"))).toEqual([200]);
  });
});

describe("headers and bodies", () => {
  test("a header of 100 kB gets 431", async () => {
    expect(
      statusesIn(await ask("GET /where HTTP/1.1", `X-Long: ${"a".repeat(100_000)}\r\n${closing}`)),
    ).toEqual([431]);
  });

  test("Content-Length together with Transfer-Encoding gets 400", async () => {
    const smuggled = `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n${closing}0\r\n\r\n`;
    expect(statusesIn(await ask("POST /echo/1 HTTP/1.1", smuggled))).toEqual([400]);
  });

  test("two Content-Length headers get 400", async () => {
    const doubled = `Content-Length: 4\r\nContent-Length: 5\r\n${closing}abcde`;
    expect(statusesIn(await ask("POST /echo/1 HTTP/1.1", doubled))).toEqual([400]);
  });

  test("a GET with a body gets 200", async () => {
    expect(statusesIn(await ask("GET /where HTTP/1.1", `Content-Length: 4\r\n${closing}abcd`))).toEqual([
      200,
    ]);
  });

  test("an Upgrade to websocket is ignored and gets 200", async () => {
    const upgrade = `Upgrade: websocket\r\nConnection: Upgrade, close\r\nHost: site.example\r\n\r\n`;
    expect(statusesIn(await ask("GET /where HTTP/1.1", upgrade))).toEqual([200]);
  });

  test("100 Continue is sent when a route reads the body, and not to other routes", async () => {
    const expecting = `Expect: 100-continue\r\nContent-Length: 3\r\n${closing}`;
    const socket = await openSocket(site.port);
    const read = () => new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    socket.write(`POST /echo/1 HTTP/1.1\r\n${expecting}`);
    expect(statusesIn(await read())).toEqual([100]);
    socket.write("abc");
    expect(statusesIn(await read())).toEqual([200]);
    expect(statusesIn(await ask("POST /where HTTP/1.1", expecting))).toEqual([200]);
  });

  test("an unknown Expect gets 417", async () => {
    expect(statusesIn(await ask("GET /where HTTP/1.1", `Expect: wonders\r\n${closing}`))).toEqual([417]);
  });

  test("an error that a route throws gets 500 without its message", async () => {
    const answer = await ask("GET /breaks HTTP/1.1");
    expect(statusesIn(answer)).toEqual([500]);
    expect(answer).not.toContain("defect");
  });
});
