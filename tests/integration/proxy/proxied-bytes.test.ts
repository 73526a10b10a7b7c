import { createHash, randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { listen, open } from "#tests/support/site/on-port.ts";

/** Sockets of all upstreams read into one buffer, and its pieces are used again. No film may get bytes of another one. */

const { origin } = await listen();

const packet = Buffer.alloc(188);
packet[0] = 0x47;
/** Transport streams, each with other bytes. */
const films = Array.from({ length: 8 }, () =>
  Buffer.concat(
    Array.from({ length: 24_000 }, () => Buffer.concat([packet.subarray(0, 4), randomBytes(184)])),
  ),
);
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test.each(["with a length", "in chunks"])(
  "films that are read at the same time, %s, arrive unchanged",
  async (framing) => {
    const upstream = await startUpstream((request, response) => {
      const film = films[Number(/\d+/.exec(request.url ?? "")?.[0])]!;
      response.setHeader("Content-Type", "video/mp2t");
      if (framing === "with a length") return response.setHeader("Content-Length", film.byteLength).end(film);
      for (let at = 0; at < film.byteLength; at += 30_000) response.write(film.subarray(at, at + 30_000));
      response.end();
    });
    const read = async (_: unknown, at: number) => {
      const url = encodeURIComponent(`${upstream.origin}/${at}.ts`);
      const response = await open(`${origin}/api/videoProxy?url=${url}`);
      if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${await text(response)}`);
      const parts: Buffer[] = [];
      for await (const part of response) {
        parts.push(part);
        // Half of the readers are slower, so that pieces wait in their connections.
        if (at % 2) await setImmediate();
      }
      return hashOf(Buffer.concat(parts));
    };
    expect(await Promise.all(films.map(read))).toEqual(films.map(hashOf));
  },
);
