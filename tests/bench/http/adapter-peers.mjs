import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runnerImport } from "vite";

/** Serves one resource route of React Router behind our adapter or behind @react-router/express. */
const [, , adapter, folder] = process.argv;

const body = '{"status":"ok"}';
const type = { "Content-Type": "application/json" };
const routes = { plain: () => new Response(body, { headers: { ...type, "Content-Length": body.length } }) };

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { module: tiny } = await runnerImport(at("../../support/site/tiny-site.ts"), {
  root: at("../../.."),
  configFile: false,
  logLevel: "error",
});

const peer = (name) => import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href);

async function behindExpress() {
  const [{ default: express }, { createRequestHandler }, { RouterContextProvider }] = await Promise.all([
    peer("express"),
    peer("@react-router/express"),
    peer("react-router"),
  ]);
  const app = express();
  app.disable("x-powered-by");
  const build = tiny.buildOf(routes);
  app.use(createRequestHandler({ build, getLoadContext: () => new RouterContextProvider() }));
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

const address =
  adapter === "express" ? await behindExpress() : (await tiny.listenTinySite({ routes })).origin;
console.log(JSON.stringify({ message: "listening", address }));
process.on("SIGINT", () => process.exit(0));
