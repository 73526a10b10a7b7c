import type { ServerBuild } from "react-router";
import { z } from "zod";
import { aboutJikan } from "#app/api/jikan/about-jikan.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { publicListing } from "#app/http/cache-policy.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { describeApi } from "#app/http/endpoint/openapi.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { withAnyone } from "#app/http/sharing.ts";

export const middleware = [inJikanShape, whereOffered];

const describe = operation("GET", {
  tag: "About",
  summary: "This OpenAPI document",
  sharing: withAnyone,
  answer: z.looseObject({ openapi: z.string() }),
  cache: publicListing,
  handle: async ({ context }) => {
    // Imported at request time: the build contains this route, so it is not complete while this module loads.
    const build = (await import("virtual:react-router/server-build")) as ServerBuild;
    return describeApi(build.routes, aboutJikan, context.get(clientContext).origin) as { openapi: string };
  },
});

export const loader = serve(describe);
export const action = loader;
