import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL the site answers, on one screen. */

const pages = [index("routes/home.tsx")];

const media = [route("poster/:id.webp", "routes/media/poster.ts")];

const system = [
  route("healthz", "routes/system/healthz.ts"),
  route("readyz", "routes/system/readyz.ts"),
  route("api/openapi.json", "routes/system/openapi.ts"),
  route("api/*", "routes/system/unknown-endpoint.ts"),
];

export default [...pages, ...media, ...system] satisfies RouteConfig;
