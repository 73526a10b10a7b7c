import { afterEach, expect, test, vi } from "vitest";
import { drainOf } from "#app/http/server/listen.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket } from "#tests/support/requests/raw-http.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

afterEach(() => vi.useRealTimers());

test("a client leaves while its requests wait behind each other, then nothing waits for them and the drain ends", async () => {
  let begun = 0;
  const site = await listenTinySite({
    routes: {
      waits: ({ request }) =>
        new Promise((resolve) => {
          begun++;
          request.signal.addEventListener("abort", () => resolve(new Response()));
        }),
    },
  });
  const drain = drainOf(site.server);
  const socket = await openSocket(site.port);
  socket.write("GET /waits HTTP/1.1\r\nHost: a\r\n\r\n".repeat(5));
  await until(() => begun === 1);
  socket.destroy();
  // The clock stands still: the ten seconds that the drain waits for an answer never pass.
  vi.useFakeTimers({ toFake: ["performance"] });
  await expect(drain("SIGINT", new AbortController().signal)).resolves.toBeUndefined();
});
