import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { createFairShare, type ShareLimits } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";

/**
 * Divides the open connections among clients. A client that opens one too many loses its oldest idle connection, so
 * that unused connections do not lock out people behind the same address.
 */

export function limitConnections(server: Server, limits: ShareLimits, isBusy: (socket: Socket) => boolean) {
  const { take } = createFairShare(limits);
  const connections = new Map<string, Map<Socket, () => void>>();
  const countRefusal = createRefusalCounter(
    "connections",
    "Too many connections are open, so some are closed. If they come from one client that should have more, raise CLIENT_CONNECTIONS. If your own proxy opens them, set TRUST_PROXY",
  );

  function closeOldestIdle(client: string) {
    const sockets = connections.get(client);
    for (const [socket, giveBack] of sockets ?? []) {
      if (isBusy(socket)) continue;
      giveBack();
      sockets?.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  server.on("connection", (socket: Socket) => {
    const client = ipBlockOf(socket.remoteAddress ?? "");
    let giveBack = take(client);
    if (!giveBack) {
      countRefusal();
      giveBack = closeOldestIdle(client) ? take(client) : null;
    }
    if (!giveBack) return void socket.destroy();
    const sockets = connections.get(client) ?? new Map<Socket, () => void>();
    connections.set(client, sockets.set(socket, giveBack));
    socket.once("close", () => {
      giveBack();
      sockets.delete(socket);
      if (sockets.size === 0) connections.delete(client);
    });
  });
}
