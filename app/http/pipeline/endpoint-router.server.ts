import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";

export type Build = ServerBuild | (() => ServerBuild | Promise<ServerBuild>);

/**
 * React Router tries the routes one after another, twice for each request, which took a third of the time of a small
 * answer. So each endpoint whose path has no parameters gets a router with only its own route. Pages, paths
 * with parameters, other spellings of a path and development use the router with all routes.
 */
export function routerFor(build: Build, mode: string): (path: string) => RequestHandler {
  const fullRouter = createRequestHandler(build, mode);
  if (typeof build === "function") return () => fullRouter;
  const endpointRouters = new Map(
    fixedEndpoints(build).map(({ path, buildOfEndpoint }) => [
      path,
      createRequestHandler(buildOfEndpoint, mode),
    ]),
  );
  return (path) => endpointRouters.get(path) ?? fullRouter;
}

function fixedEndpoints(build: ServerBuild) {
  const routes = Object.values(build.routes).filter((route) => route !== undefined);
  const [root, ...others] = routes.filter(({ parentId }) => parentId === undefined);
  if (!root || others.length > 0) return [];
  return routes.flatMap((route) => {
    const isFixed = route.parentId === root.id && route.path !== undefined && /^[\w./-]+$/.test(route.path);
    if (!isFixed || route.module.default) return [];
    const buildOfEndpoint: ServerBuild = { ...build, routes: { [root.id]: root, [route.id]: route } };
    return [{ path: `/${route.path}`, buildOfEndpoint }];
  });
}
