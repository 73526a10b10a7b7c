import { fileURLToPath } from "node:url";
import * as build from "virtual:react-router/server-build";
import type { ServerBuild } from "react-router";
import { createApplication } from "./http/application.server.ts";
import { createPublicCache } from "./http/public-cache.server.ts";
import { charge } from "./http/rate-limit.server.ts";
import { listStaticFiles } from "./http/static-files.server.ts";
import { mebibytes } from "./platform/byte-size.ts";
import { env } from "./platform/env.server.ts";
import { gauge } from "./platform/metrics.server.ts";

const publicCache = env.PUBLIC_CACHE
  ? createPublicCache({ maxBytes: mebibytes(64), maxEntryBytes: mebibytes(2), charge })
  : undefined;

gauge("public_cache_bytes", "Bytes the public cache holds", () => publicCache?.bytes() ?? 0);

/** The built site, without a port: the process listens in front of it, tests call its `handle`. */
export const application = createApplication({
  build: build as ServerBuild,
  files: await listStaticFiles(fileURLToPath(new URL("../client", import.meta.url))),
  cache: publicCache,
});
