import { once } from "node:events";
import { type OutgoingHttpHeaders, request } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { openSocket } from "#tests/support/requests/raw-http.ts";

/** A client that takes as much as it can from one address, and comes back after it is refused. */

/** "a byte at a time" reads as slowly as a client can without stopping. */
type Reads = boolean | "a byte at a time";

export type Sent = {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Closes the connection after this time, unless the answer is there. */
  leavesAfterMs?: number;
};

export class Attacker {
  private readonly origin: string;
  readonly address: string;
  private readonly over = new AbortController();
  /** The number of answers with each status. */
  readonly statuses: Record<string, number> = {};

  constructor(origin: string, address: string) {
    this.origin = origin;
    this.address = address;
  }

  get isOver() {
    return this.over.signal.aborted;
  }

  stop() {
    this.over.abort();
  }

  /** Keeps `count` connections open. Each sends `first`, then `more` every five seconds. */
  hold(count: number, first: string, { more = "", reads = true }: { more?: string; reads?: Reads } = {}) {
    for (let at = 0; at < count; at++) void this.holdOne(first, more, reads);
  }

  private async holdOne(first: string, more: string, reads: Reads) {
    while (!this.isOver) {
      const socket = await openSocket(Number(new URL(this.origin).port), this.address).catch(() => undefined);
      if (socket) await this.keepUntilClosed(socket, first, more, reads);
      await this.rest();
    }
  }

  private async keepUntilClosed(socket: Socket, first: string, more: string, reads: Reads) {
    const end = () => socket.destroy();
    this.over.signal.addEventListener("abort", end);
    const trickle = more ? setInterval(() => socket.write(more), 5000) : undefined;
    const reading = reads === "a byte at a time" ? setInterval(() => socket.read(1), 200) : undefined;
    if (reading) socket.on("readable", () => {});
    else if (reads) socket.on("data", (data: Buffer) => this.count(data.toString("latin1", 9, 12)));
    socket.write(first);
    if (!this.isOver) await once(socket, "close").catch(() => {});
    clearInterval(trickle);
    clearInterval(reading);
    this.over.signal.removeEventListener("abort", end);
  }

  /** Keeps `count` requests under way. Each is repeated as soon as it is answered, or one second after it was refused. */
  flood(count: number, pathOf: (at: number) => string, sent: Sent | ((at: number) => Sent) = {}) {
    let next = 0;
    for (let at = 0; at < count; at++)
      void (async () => {
        while (!this.isOver) {
          const asked = next++;
          const refused = await this.ask(pathOf(asked), typeof sent === "function" ? sent(asked) : sent);
          if (refused) await this.rest();
        }
      })();
  }

  /** Returns true if the site did not serve the request. */
  async ask(path: string, { method = "GET", headers = {}, body = "", leavesAfterMs }: Sent = {}) {
    const length = body && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const asked = request(this.origin + path, {
      method,
      agent: false,
      localAddress: this.address,
      headers: { ...length, ...headers, Origin: this.origin },
      signal:
        leavesAfterMs === undefined
          ? this.over.signal
          : AbortSignal.any([this.over.signal, AbortSignal.timeout(leavesAfterMs)]),
    });
    try {
      asked.end(body);
      const [response] = await once(asked, "response");
      this.count(String(response.statusCode));
      response.on("error", () => {}).resume();
      await once(response, "close");
      return response.statusCode >= 400;
    } catch {
      return leavesAfterMs === undefined;
    }
  }

  /** Waits a second. A client that reconnected at once would only measure how fast this machine opens connections. */
  private async rest() {
    await pause(1000, undefined, { signal: this.over.signal }).catch(() => {});
  }

  private count(status: string) {
    if (/^\d{3}$/.test(status)) this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }
}
