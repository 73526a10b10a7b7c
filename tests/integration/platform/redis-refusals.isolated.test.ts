import { createServer } from "node:net";
import { expect, test, vi } from "vitest";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";

/** The log says why Redis refuses the site. */

const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", (commands) => {
    const count = `${commands}`.match(/^\*/gm)?.length ?? 0;
    socket.write("-WRONGPASS invalid username-password pair for secret-user\r\n".repeat(count));
  });
});
const port = await listenLocally(server);
process.env.REDIS_URL = `redis://secret-user:wrong-password@127.0.0.1:${port}`;
const { log } = await import("#app/platform/log.server.ts");
const { closeRedis, withRedis } = await import("#app/platform/cache/redis.server.ts");

test("a wrong password in REDIS_URL is in the log, and nothing of the login", async () => {
  const warned = vi.spyOn(log, "warnOnce").mockImplementation(() => {});
  expect(await withRedis((redis) => redis.get("key"))).toBeNull();
  expect(warned.mock.calls[0]?.[1]).toBe("Redis (REDIS_URL) refuses the connection (WRONGPASS)");
  expect(JSON.stringify(warned.mock.calls)).not.toMatch(/secret-user|wrong-password/);
  await closeRedis();
  server.close();
});
