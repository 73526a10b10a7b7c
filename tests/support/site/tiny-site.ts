import { once } from "node:events";
import type { MiddlewareFunction, ServerBuild } from "react-router";
import type { Admission, Context } from "#app/http/context.server.ts";
import { createApplication } from "#app/http/pipeline/application.server.ts";
import type { PublicCache } from "#app/http/pipeline/public-cache.server.ts";
import { notePattern, type SharedFolders } from "#app/http/pipeline/route-table.server.ts";
import type { StaticFiles } from "#app/http/pipeline/static-files.server.ts";
import { createNodeServer } from "#app/http/server/node-adapter.server.ts";
import type { Sharing } from "#app/http/sharing.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { answerRequest } from "#tests/support/site/answer-request.ts";

/** A site of a few resource routes, for tests of the server without the product. */

export type Route = (args: { request: Request; context: Context }) => Response | Promise<Response>;

type Site = {
  routes: Record<
    string,
    Route & { admission?: Admission; sharing?: Sharing; middleware?: MiddlewareFunction<Response>[] }
  >;
  /** Middleware of the root route. */
  middleware?: MiddlewareFunction<Response>[];
  cache?: PublicCache;
  files?: StaticFiles;
  sharedFolders?: SharedFolders;
  admitWaiting?: NonNullable<Parameters<typeof createApplication>[0]["admitWaiting"]>;
};

export function createTinySite({ routes, middleware, ...site }: Site) {
  const application = createApplication({ build: buildOf(routes, middleware), ...site });
  return {
    ...application,
    handle: (request: Request, connection?: { peerAddress: string }) =>
      answerRequest(application, request, connection),
  };
}

export async function listenTinySite(site: Site, options: Parameters<typeof createNodeServer>[1] = {}) {
  const server = createNodeServer(createTinySite(site), options);
  const port = await listenLocally(server);
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close").catch(() => {});
  };
  return { server, port, origin: `http://127.0.0.1:${port}`, close };
}

export function buildOf(routes: Site["routes"], middleware: Site["middleware"] = []): ServerBuild {
  const root = {
    id: "root",
    path: "",
    module: { default: () => null, middleware: [notePattern, ...middleware] },
  };
  const others = Object.entries(routes).map(([path, answer]) => {
    const id = `routes/${path}`;
    const module = { loader: answer, action: answer, middleware: answer.middleware };
    return [id, { id, parentId: "root", path, module }] as const;
  });
  const build = {
    entry: {
      module: {
        default: (_request: Request, status: number, headers: Headers) =>
          new Response(`<!doctype html><p>${status}`, {
            status,
            headers: { ...headers, "Content-Type": "text/html" },
          }),
        handleError: () => {},
      },
    },
    routes: { root, ...Object.fromEntries(others) },
    assets: { entry: { imports: [], module: "" }, routes: {}, url: "", version: "" },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: { v8_middleware: true, v8_passThroughRequests: true },
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  };
  return build as unknown as ServerBuild;
}
