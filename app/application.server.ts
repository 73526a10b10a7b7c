import { fileURLToPath } from "node:url";
import * as build from "virtual:react-router/server-build";
import type { ServerBuild } from "react-router";
import { createApplication } from "./http/application.server.ts";
import { listStaticFiles } from "./http/static-files.server.ts";

/** The built site, without a port: the process listens in front of it, tests call its `handle`. */
export const application = createApplication({
  build: build as ServerBuild,
  files: await listStaticFiles(fileURLToPath(new URL("../client", import.meta.url))),
});
