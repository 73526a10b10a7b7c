import { fileURLToPath } from "node:url";
import * as build from "virtual:react-router/server-build";
import type { ServerBuild } from "react-router";
import { isFromMember } from "#app/access/guards/closed-site.server.ts";
import { onCatalogChange } from "#app/domain/catalog-version/catalog-version.server.ts";
import { visitorKeyOf } from "#app/domain/visitor/visitor.server.ts";
import { admitWaiting } from "#app/http/guards/admission.server.ts";
import { chargeLimiter } from "#app/http/guards/rate-limit.server.ts";
import { createApplication } from "#app/http/pipeline/application.server.ts";
import { createPublicCache } from "#app/http/pipeline/public-cache.server.ts";
import { listStaticFiles } from "#app/http/pipeline/static-files.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { isClosedSite, onSettingsChange } from "#app/platform/site-settings.server.ts";
import { mebibytes } from "#app/platform/units.ts";
import { latePartsLoaded } from "#app/ui/late.tsx";
import { sharedFolders } from "./shared-folders.server.ts";

const publicCache = env.PUBLIC_CACHE
  ? createPublicCache({
      maxBytes: mebibytes(memoryPlan.publicCache),
      maxEntryBytes: mebibytes(6),
      charge: chargeLimiter,
      visitorKeyOf,
    })
  : undefined;

gauge("public_cache_bytes", "Bytes the public cache holds", () => publicCache?.bytes() ?? 0);

await latePartsLoaded();

/** The built site without a port. `runProcess` connects it to a server. */
export const application = createApplication({
  build: build as ServerBuild,
  files: await listStaticFiles(fileURLToPath(new URL("../client", import.meta.url))),
  sharedFolders,
  cache: publicCache,
  isClosed: isClosedSite,
  isFromMember,
  admitWaiting,
});

/** The exports of each route module, for the tests that check what every route must declare. */
export const { routes } = build as ServerBuild;

onCatalogChange(application.forgetPublicAnswers);
onSettingsChange(application.forgetPublicAnswers);
