import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pipeline } from "node:stream";
import { pathToFileURL } from "node:url";

/**
 * Servers for the benchmark of the video proxy, each in its own process: an upstream that serves from memory, a proxy
 * with no features (`bare`), and an existing proxy (`peer`, installed into a cache folder).
 */

const [, , role, folder] = process.argv;

const roles = {
  async upstream() {
    const segment = Buffer.alloc(6 * 1024 * 1024, Uint8Array.from([0x47, ...Array(187).fill(0)]));
    const names = Array.from(
      { length: 2000 },
      (_, i) => `#EXTINF:6.000000,\nsegment_${String(i).padStart(5, "0")}.ts\n`,
    );
    const playlist = Buffer.from(
      `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n${names.join("")}#EXT-X-ENDLIST\n`,
    );
    return (request, response) => {
      const isPlaylist = request.url.includes(".m3u8");
      const body = isPlaylist ? playlist : segment;
      const type = isPlaylist ? "application/vnd.apple.mpegurl" : "video/mp2t";
      response.writeHead(200, { "Content-Type": type, "Content-Length": body.length }).end(body);
    };
  },

  async bare() {
    const { Agent, request } = await import("undici");
    const dispatcher = new Agent({ connections: 1024 });
    return async (incoming, response) => {
      const url = new URL(incoming.url, "http://x").searchParams.get("url");
      const { statusCode, headers, body } = await request(url, { dispatcher });
      response.writeHead(statusCode, headers);
      pipeline(body, response, () => {});
    };
  },

  async peer() {
    const require = createRequire(pathToFileURL(`${folder}/package.json`));
    const { request } = require("@warren-bank/hls-proxy/hls-proxy/proxy.js")({
      is_secure: false,
      debug_level: -1,
    });
    return request;
  },
};

const server = createServer(await roles[role]());
// Longer than any client keeps a connection. Otherwise the server could close a connection while the client sends on
// it.
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ message: "listening", address: `http://127.0.0.1:${server.address().port}` }));
});
process.on("SIGINT", () => process.exit(0));
