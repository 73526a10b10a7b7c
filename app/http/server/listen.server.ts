import { type AddressInfo, createServer, Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { errorFields, log } from "#app/platform/log.server.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { seconds } from "#app/platform/units.ts";
import { startDraining } from "./health.server.ts";
import type { NodeServer } from "./node-adapter.server.ts";

/** Starts to accept requests, and stops without losing any. */

export async function listen(server: Server, port: number, host: string, variable = "PORT"): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, port, host, variable)));
    server.listen({ port, host, backlog: 1024 }, resolve);
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/** Fails like `listen` if the port is taken. The start calls it before it creates and migrates a database. */
export async function requireFreePort(port: number, host: string, variable = "PORT"): Promise<void> {
  if (port === 0) return;
  // A client that connects at this moment must not keep the probe open.
  const probe = createServer((socket) => socket.destroy());
  await listen(probe, port, host, variable);
  await new Promise((resolve) => probe.close(resolve));
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string, variable: string) {
  if (error.code === "EADDRINUSE")
    return new CannotStart(
      `Port ${port} is taken by another program. Stop that program, or choose another port with ${variable}.`,
    );
  if (error.code === "EACCES")
    return new CannotStart(`This user may not open port ${port}. Choose a port above 1023 with ${variable}.`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new CannotStart(
      `HOST=${host} is not an address of this machine. To listen on all its addresses, set HOST=0.0.0.0.`,
    );
  return error;
}

// Load balancers check /readyz every second or two. Until they notice, the server still accepts and answers requests.
const noticeMs = seconds(2);
/** The proxies of ops/ close their idle connections to the site after 2 s. This is a second more. */
const maxIdleMs = seconds(3);
const maxFinishMs = seconds(10);

/** Answers the requests under way and closes the server. If `hurry` aborts, the remaining ones are cut off. */
export type Drain = (signal: NodeJS.Signals, hurry: AbortSignal) => Promise<void>;

export const drainOf =
  (server: NodeServer): Drain =>
  async (signal, hurry) => {
    startDraining();
    // Only a service manager sends SIGTERM. At a terminal there is no proxy to wait for.
    const isBehindProxy = signal === "SIGTERM";
    if (isBehindProxy) await sleep(noticeMs, undefined, { signal: hurry }).catch(() => {});
    await stopListening(server);
    await finishRequests(server, hurry, isBehindProxy ? maxIdleMs : 0);
  };

/**
 * From here on a proxy that opens a new connection is refused and tries another instance, even for a write, because it
 * has sent nothing. `http.Server.close` would close idle connections too, and a proxy may have just sent a write on one
 * of them. That write would be lost, because a proxy must not repeat it.
 */
async function stopListening(server: NodeServer) {
  await idleTurn();
  Server.prototype.close.call(server);
}

/**
 * Answers the requests under way and those that still arrive on open connections, and closes their connections. The
 * proxy has `idleMs` to close idle connections itself.
 */
async function finishRequests(server: NodeServer, hurry: AbortSignal, idleMs: number) {
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  while (passedMs() < maxFinishMs && !hurry.aborted) {
    // Node's `closeIdleConnections` would also close those whose answer is made but not sent completely.
    const isDone =
      passedMs() >= idleMs ? server.busyConnections() === 0 : (await countConnections(server)) === 0;
    if (isDone) break;
    await sleep(50);
  }
  server.closeAllConnections();
}

const countConnections = (server: NodeServer) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/**
 * When a socket stops listening, the system resets connections that it has accepted and Node has not read yet. After an
 * idle turn of the event loop there are none, except those of the last fraction of a millisecond.
 */
async function idleTurn() {
  for (let turns = 0; turns < 1000; turns++) {
    const began = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    if (performance.now() - began < 0.2) return;
  }
}

export function exitOnUncaughtErrors() {
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => {
      log.error(
        event === "uncaughtException" ? "uncaught exception" : "unhandled rejection",
        errorFields(error),
      );
      process.exit(1);
    });
}
