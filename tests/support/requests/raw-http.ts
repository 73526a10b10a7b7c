import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Sends HTTP as raw bytes, for requests that no well-behaved client sends. */

/** `from` is the client's address. On Linux all of 127.0.0.0/8 is this machine, so each address counts as another client. */
export async function openSocket(port: number, from = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends the text unchanged and returns everything that arrives until the server closes the connection. */
export async function sendRaw(port: number, text: string | Buffer): Promise<string> {
  const socket = await openSocket(port);
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    answer += chunk;
  });
  const closed = once(socket, "close");
  socket.write(text);
  await closed;
  return answer;
}

export const statusesIn = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
