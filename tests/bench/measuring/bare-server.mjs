import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";

/** A server that only sends one file, with the headers given as JSON: the baseline of other benchmarks. */
const [, , mode, file, headersText] = process.argv;
const headers = [
  ...Object.entries(JSON.parse(headersText)).flat(),
  "Content-Length",
  String(statSync(file).size),
];
const bytes = mode === "memory" ? readFileSync(file) : undefined;

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  if (bytes) response.end(bytes);
  else createReadStream(file).pipe(response);
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ message: "listening", address: `http://127.0.0.1:${server.address().port}` }));
});
process.on("SIGINT", () => process.exit(0));
