import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";

/** A server that only sends one file: the baseline of other benchmarks. */
const [, , mode, file, type] = process.argv;
const size = statSync(file).size;
const bytes = mode === "memory" ? readFileSync(file) : undefined;

const server = createServer((_request, response) => {
  response.writeHead(200, { "Content-Type": type, "Content-Length": size });
  if (bytes) response.end(bytes);
  else createReadStream(file).pipe(response);
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ message: "listening", address: `http://127.0.0.1:${server.address().port}` }));
});
process.on("SIGINT", () => process.exit(0));
