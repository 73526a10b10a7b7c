import type { ServerBuild } from "react-router";
import type { ViteDevServer } from "vite";
import { isFromMember } from "#app/access/guards/closed-site.server.ts";
import { createApplication } from "#app/http/pipeline/application.server.ts";
import { listStaticFiles } from "#app/http/pipeline/static-files.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { latePartsLoaded } from "#app/ui/late.tsx";
import { runProcess } from "./process.server.ts";
import { sharedFolders } from "./shared-folders.server.ts";

/** `npm run dev`: the same process and application as in production, but Vite loads the code from the sources. */
export async function runDevelopment(vite: ViteDevServer) {
  const application = createApplication({
    build: async () => {
      const build = await vite.ssrLoadModule("virtual:react-router/server-build");
      await latePartsLoaded();
      return build as ServerBuild;
    },
    files: await listStaticFiles(ownFilePath("public")),
    sharedFolders,
    mode: "development",
    isClosed: isClosedSite,
    isFromMember,
  });
  return runProcess(application, { before: vite.middlewares });
}
