import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { redirectFailedFormsTo } from "#app/http/forms/form-return.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket } from "#tests/support/requests/raw-http.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

const seen = { isBegun: false, isBroken: false };
const site = await listenTinySite({
  routes: {
    form: Object.assign(
      async ({ request }: { request: Request }) => {
        seen.isBegun = true;
        await request.text().catch(() => {
          seen.isBroken = true;
        });
        return new Response(null, { status: 405 });
      },
      { middleware: [redirectFailedFormsTo("/form")] },
    ),
  },
});
afterAll(site.close);

test("a form that breaks off while its method is refused leaves no unhandled rejection", async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on("unhandledRejection", note);
  const socket = await openSocket(site.port);
  const type = "application/x-www-form-urlencoded";
  socket.write(`PUT /form HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`);
  await until(() => seen.isBegun);
  socket.destroy();
  await until(() => seen.isBroken);
  await pause(20);
  process.off("unhandledRejection", note);
  expect(rejections).toEqual([]);
});
