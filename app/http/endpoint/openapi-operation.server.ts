import type { ServerBuild } from "react-router";
import { z } from "zod";
import { publicListing } from "../cache-policy.server.ts";
import { clientContext } from "../context.server.ts";
import { withAnyone } from "../sharing.ts";
import { type AboutApi, describeApi } from "./openapi.server.ts";
import { operation } from "./operation.server.ts";

/** Answers with the OpenAPI document for the paths that `about` covers. */
export const openApiOperation = (about: AboutApi, tag: string) =>
  operation("GET", {
    tag,
    summary: "This OpenAPI document",
    sharing: withAnyone,
    answer: z.looseObject({ openapi: z.string() }),
    cache: publicListing,
    handle: async ({ context }) => {
      // Imported at request time: the build contains this route, so it is not complete while this module loads.
      const build = (await import("virtual:react-router/server-build")) as ServerBuild;
      return describeApi(build.routes, about, context.get(clientContext).origin) as { openapi: string };
    },
  });
