import { once } from "node:events";
import { connect } from "node:net";
import type { Served } from "./servers.ts";

/**
 * A load generator on plain sockets, without an HTTP parser: it shares the machine with the measured server and must
 * use little processor time.
 */

type Load = { path: string; headers?: Record<string, string>; connections?: number; ms?: number };

export async function requestsPerSecond(
  origin: string,
  { path, headers = {}, connections = 32, ms = 2000 }: Load,
) {
  const { hostname, port, host } = new URL(origin);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
  let [answered, isOver] = [0, false];
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname);
    let missing = 0;
    socket.on("data", (chunk) => {
      missing = missing === 0 ? answerLength(chunk) - chunk.byteLength : missing - chunk.byteLength;
      if (missing > 0) return;
      answered++;
      socket.write(request);
    });
    // A connection that closes early fails the measurement, because a rate of few answers means nothing.
    socket.on("close", () => {
      if (!isOver) throw new Error("the server closed a connection");
    });
    socket.write(request);
    return socket;
  });
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const rate = answered / ((performance.now() - startedAt) / 1000);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return rate;
}

/** Counts only the server's processor time: the client uses as much as a bare server, and other programs share the machine. */
export async function requestsPerProcessorSecond(served: Served, load: Load) {
  const [begin, cpuBefore] = [performance.now(), served.cpuSeconds()];
  const rate = await requestsPerSecond(served.origin, load);
  const elapsed = (performance.now() - begin) / 1000;
  return (rate * elapsed) / (served.cpuSeconds() - cpuBefore);
}

/** The length of the whole answer whose head is in this chunk. */
function answerLength(chunk: Buffer) {
  const headEnds = chunk.indexOf("\r\n\r\n") + 4;
  const head = chunk.toString("latin1", 0, headEnds);
  if (!head.startsWith("HTTP/1.1 200"))
    throw new Error(`the server did not answer 200: ${head.slice(0, 200)}`);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error("the answer has no Content-Length");
  return headEnds + Number(length);
}

/** Reads one answer to its end and returns its length. */
export async function download(url: string): Promise<number> {
  const { hostname, port, host, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let bytes = 0;
  socket.on("data", (chunk) => {
    bytes += chunk.byteLength;
  });
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, "close");
  return bytes;
}
