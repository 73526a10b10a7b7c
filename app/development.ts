import type { ServerBuild } from "react-router";
import type { ViteDevServer } from "vite";
import { createApplication } from "./http/application.server.ts";
import { listStaticFiles } from "./http/static-files.server.ts";
import { ownFile } from "./platform/own-files.server.ts";
import { runProcess } from "./process.server.ts";

/** `npm run dev`: the same process around the same application; only the code comes from Vite as it stands. */
export async function runDevelopment(vite: ViteDevServer) {
  const application = createApplication({
    build: () => vite.ssrLoadModule("virtual:react-router/server-build") as Promise<ServerBuild>,
    files: await listStaticFiles(ownFile("public")),
    mode: "development",
  });
  return runProcess(application, { before: vite.middlewares });
}
