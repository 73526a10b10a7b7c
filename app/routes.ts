import { index, type RouteConfig } from "@react-router/dev/routes";

/** Every URL the site answers, on one screen. */

const pages = [index("routes/home.tsx")];

export default [...pages] satisfies RouteConfig;
