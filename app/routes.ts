import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL the site answers, on one screen. */

const pages = [
  index("routes/home.tsx"),
  route("browse", "routes/browse.tsx"),
  route("search", "routes/search.tsx"),
  route("random", "routes/random.ts"),
  route("schedule", "routes/schedule.tsx"),
  route("seasons/:year?/:season?", "routes/seasons.tsx"),
  route("anime/:id/:slug?", "routes/anime/title.tsx"),
  route("visitor", "routes/visitor-settings.ts"),
];

const media = [
  route("poster/:id.webp", "routes/media/poster.ts"),
  route("ipfs/:cid", "routes/media/stored-image.ts"),
  route("api/proxy", "routes/media/image-proxy.ts"),
  route("api/uploadImage", "routes/api/upload-image.ts"),
  route("api/videoProxy", "routes/media/video-proxy.ts"),
  route("media/*", "routes/media/media-file.ts"),
];

const account = [
  route("signin", "routes/account/sign-in.tsx"),
  route("signup", "routes/account/sign-up.tsx"),
  route("reset", "routes/account/reset.tsx"),
  route("verify", "routes/account/verify.tsx"),
  route("api/auth/signup", "routes/api/auth/sign-up.ts"),
  route("api/auth/signin", "routes/api/auth/sign-in.ts"),
  route("api/auth/signout", "routes/api/auth/sign-out.ts"),
  route("api/auth/provider", "routes/api/auth/provider.ts"),
  route("api/auth/callback", "routes/api/auth/callback.ts"),
  route("api/auth/session", "routes/api/auth/session.ts"),
  route("api/auth/sessions", "routes/api/auth/sessions.ts"),
  route("api/auth/tokens", "routes/api/auth/tokens.ts"),
  route("api/auth/password", "routes/api/auth/password.ts"),
  route("api/auth/reset", "routes/api/auth/reset.ts"),
  route("api/auth/reset/confirm", "routes/api/auth/reset-confirm.ts"),
  route("api/auth/verify", "routes/api/auth/verify.ts"),
  route("api/user/account", "routes/api/user/account.ts"),
];

const catalog = [
  route("api/animes/full", "routes/api/animes/full.ts"),
  route("api/animes/getAnime", "routes/api/animes/get-anime.ts"),
  route("api/animes/random", "routes/api/animes/random.ts"),
  route("api/animes/suggest", "routes/api/animes/suggest.ts"),
  ...["api/episodes", "api/animes/episodes"].map((path) =>
    route(path, "routes/api/animes/episodes.ts", { id: path }),
  ),
  ...["api/episodes/getEpisode", "api/animes/episode"].map((path) =>
    route(path, "routes/api/animes/get-episode.ts", { id: path }),
  ),
];

const system = [
  route("healthz", "routes/system/healthz.ts"),
  route("readyz", "routes/system/readyz.ts"),
  route("api/openapi.json", "routes/system/openapi.ts"),
  route("robots.txt", "routes/system/robots.ts"),
  route("sitemap.xml", "routes/system/sitemap.ts"),
  route("api/*", "routes/system/unknown-endpoint.ts"),
  route("*", "routes/system/not-found.tsx"),
];

export default [...pages, ...account, ...catalog, ...media, ...system] satisfies RouteConfig;
