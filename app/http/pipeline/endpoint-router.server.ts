import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";

export type Build = ServerBuild | (() => ServerBuild | Promise<ServerBuild>);

/**
 * The router looks for a route by trying one after another, twice a request: with a hundred of them that was a third of
 * what a small answer cost. An endpoint without parameters in its address needs no search, and gets a router that
 * knows nothing else. Whatever is spelled in another way, pages, and development go by the whole one.
 */
export function routerFor(build: Build, mode: string): (path: string) => RequestHandler {
  const whole = createRequestHandler(build, mode);
  if (typeof build === "function") return () => whole;
  const own = new Map(
    fixedEndpoints(build).map(({ path, only }) => [path, createRequestHandler(only, mode)]),
  );
  return (path) => own.get(path) ?? whole;
}

function fixedEndpoints(build: ServerBuild) {
  const routes = Object.values(build.routes).filter((route) => route !== undefined);
  const [root, ...others] = routes.filter(({ parentId }) => parentId === undefined);
  if (!root || others.length > 0) return [];
  return routes.flatMap((route) => {
    const isFixed = route.parentId === root.id && route.path !== undefined && /^[\w./-]+$/.test(route.path);
    if (!isFixed || route.module.default) return [];
    const only: ServerBuild = { ...build, routes: { [root.id]: root, [route.id]: route } };
    return [{ path: `/${route.path}`, only }];
  });
}
