import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll } from "vitest";

const types: Record<number, 4 | 6> = { 1: 4, 28: 6 };

/** The addresses of a name; `missing`: there is no such name; `broken`: the server fails; `silent`: it never answers. */
type Found = { addresses: string[]; ttl?: number } | "missing" | "broken" | "silent";

/** A name server on this machine. `answer` decides for every question. Other names are missing. */
export async function startNameServer(answer: (name: string, family: 4 | 6) => Found | undefined) {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const family = types[type];
    if (family === 4) questions.push(name);
    const found = (family && answer(name, family)) ?? "missing";
    if (found !== "silent") socket.send(reply(query.subarray(0, end), type, found), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  afterAll(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(question: Buffer, type: number, found: Exclude<Found, "silent">): Buffer {
  const head = Buffer.from(question);
  const records = typeof found === "string" ? [] : found.addresses.map((ip) => record(ip, type, found.ttl));
  const status = found === "missing" ? 3 : found === "broken" ? 2 : 0;
  head.writeUInt16BE(0x8180 | status, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function record(ip: string, type: number, ttl = 60): Buffer {
  const data = type === 1 ? ip.split(".").map(Number) : [...Array<number>(15).fill(0), Number(ip.slice(2))];
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  head.writeUInt32BE(ttl, 6);
  return Buffer.concat([head, Buffer.from(data)]);
}
