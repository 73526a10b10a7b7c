import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Servers to compare with the image proxy: sharp behind node:http, and ipx. Both fetch from the same upstream. */
const [, , peer, folder, upstream] = process.argv;

async function sharpAlone() {
  const { default: sharp } = await import("sharp");
  return createServer(async (request, response) => {
    const query = new URL(request.url, "http://x").searchParams;
    const source = Buffer.from(await (await fetch(query.get("url"))).arrayBuffer());
    const bytes = await sharp(source)
      .resize({ width: Number(query.get("w")) })
      .toFormat(query.get("format") ?? "webp", { quality: 50 })
      .toBuffer();
    response.writeHead(200, { "Content-Type": "image/webp", "Content-Length": bytes.length }).end(bytes);
  });
}

async function ipx() {
  const entry = createRequire(join(folder, "package.json")).resolve("ipx");
  const { createIPX, createIPXNodeServer, ipxHttpStorage } = await import(pathToFileURL(entry).href);
  const instance = createIPX({
    httpStorage: ipxHttpStorage({ domains: [new URL(upstream).host, "127.0.0.1"] }),
  });
  return createServer(createIPXNodeServer(instance));
}

const server = await (peer === "ipx" ? ipx() : sharpAlone());
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ message: "listening", address: `http://127.0.0.1:${server.address().port}` }));
});
process.on("SIGINT", () => process.exit(0));
