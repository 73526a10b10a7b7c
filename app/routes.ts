import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every path that the site answers. */

const pages = [
  index("routes/home/home.tsx"),
  route("browse", "routes/browse/browse.tsx"),
  route("search", "routes/browse/search.tsx"),
  route("search/suggestions", "routes/browse/suggestions.ts"),
  route("random", "routes/browse/random.ts"),
  route("schedule", "routes/calendar/schedule.tsx"),
  route("seasons/:year?/:season?", "routes/calendar/seasons.tsx"),
  route("anime/:id/:slug?", "routes/title/title.tsx"),
  route("franchise/:id/:slug?", "routes/franchise/franchise.tsx"),
  route("people/:id/:slug?", "routes/people/person.tsx"),
  route("characters/:id/:slug?", "routes/people/character.tsx"),
  route("watch/:id/:episode", "routes/watch/episode.tsx"),
  route("list", "routes/library/list/list.tsx"),
  route("list/import", "routes/library/list/list-import.tsx"),
  route("history", "routes/library/history/history.tsx"),
  route("wishes", "routes/library/wishes/wishes.tsx"),
  route("profile", "routes/profile/profile.tsx"),
  route("profile/edit", "routes/profile/edit.tsx"),
  route("profile/picture", "routes/profile/picture.ts"),
  route("profiles", "routes/profiles/choose.tsx"),
  route("profiles/manage", "routes/profiles/household.tsx"),
  route("profiles/titles", "routes/profiles/titles.tsx"),
  route("profiles/pin", "routes/profiles/pin.tsx"),
  route("profiles/leave", "routes/profiles/leave.tsx"),
  route("profiles/:id", "routes/profiles/profile.tsx"),
  route("settings", "routes/settings/settings.tsx", [
    route("preferences", "routes/settings/preferences.ts"),
    route("email", "routes/settings/email.ts"),
    route("password", "routes/settings/password.ts"),
    route("sessions", "routes/settings/sessions.ts"),
    route("tokens", "routes/settings/tokens.tsx"),
    route("account", "routes/settings/account.ts"),
  ]),
  route("settings/import", "routes/settings/account-import.tsx"),
  route("about/data", "routes/about/data.tsx"),
  route("about/privacy", "routes/about/privacy.tsx"),
  route("visitor", "routes/settings/visitor-settings.ts"),
];

const admin = [
  route("setup", "routes/admin/setup/first-operator.tsx"),
  route("admin/setup", "routes/admin/setup/setup.tsx"),
  route("admin", "routes/admin/overview/overview.tsx"),
  route("admin/users", "routes/admin/users.tsx"),
  route("admin/invitations", "routes/admin/invitations.tsx"),
  route("admin/episode", "routes/admin/episode/episode.tsx"),
  route("admin/films", "routes/admin/films/films.tsx"),
  route("admin/films/decide", "routes/admin/films/decide.tsx"),
  route("admin/films/programs", "routes/admin/films/hooks.tsx"),
  route("admin/catalog-file", "routes/admin/catalog-file.tsx"),
  route("admin/wishes", "routes/admin/wishes.tsx"),
  route("admin/hidden", "routes/admin/hidden.tsx"),
  route("admin/title", "routes/admin/title/title.tsx"),
  route("admin/title/picture", "routes/admin/title/picture.ts"),
  route("admin/feeds", "routes/admin/feeds.tsx"),
  route("admin/details", "routes/admin/details.tsx"),
  route("admin/events", "routes/admin/events.tsx"),
];

/** The route also answers at an address that carries a pass instead of a session. */
function signable(path: string, file: string) {
  const signed = `signed/:pass/${path}`;
  return [route(path, file), route(signed, file, { id: signed })];
}

const media = [
  route("poster/:id.webp", "routes/media/poster.ts"),
  route("poster/:id.jpg", "routes/media/poster-jpeg.ts"),
  route("ipfs/:cid", "routes/media/stored-image.ts"),
  route("api/proxy", "routes/media/image-proxy.ts"),
  route("api/uploadImage", "routes/api/upload-image.ts"),
  route("api/videoProxy", "routes/media/video-proxy.ts"),
  ...signable("captions/:file", "routes/media/captions.ts"),
  route("media/*", "routes/media/media-file.ts"),
  ...signable("film/:film", "routes/media/film.ts"),
  ...signable("film/:film/:part", "routes/media/film-part.ts"),
  route("film/:film/open.m3u", "routes/media/external-player.ts"),
  ...signable("play/:film/:version/:name", "routes/media/packaged-film.ts"),
];

const account = [
  route("signin", "routes/account/sign-in.tsx"),
  route("signup", "routes/account/sign-up.tsx"),
  route("signup/profile", "routes/account/sign-up-profile.tsx"),
  route("signup/tastes", "routes/account/sign-up-tastes.tsx"),
  route("reset", "routes/account/reset.tsx"),
  route("verify", "routes/account/verify.tsx"),
  route("link", "routes/account/link/link.tsx"),
  route("link/continue", "routes/account/link/continue.ts"),
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
  route("api/auth/device", "routes/api/auth/device.ts"),
  route("api/auth/device/token", "routes/api/auth/device-token.ts"),
  route("api/user/account", "routes/api/user/account.ts"),
];

const member = [
  route("api/user/watchList", "routes/api/user/watch-list.ts"),
  route("api/user/watchList/add", "routes/api/user/watch-list-add.ts"),
  route("api/user/watchList/remove", "routes/api/user/watch-list-remove.ts"),
  route("api/user/watchList/update", "routes/api/user/watch-list-update.ts"),
  route("api/user/watchList/import", "routes/api/user/watch-list-import.ts"),
  route("api/user/watchList/import/undo", "routes/api/user/watch-list-undo.ts"),
  route("api/user/watchList/export", "routes/api/user/watch-list-export.ts"),
  route("api/user/searchHistory", "routes/api/user/search-history.ts"),
  route("api/user/progress", "routes/api/user/progress.ts"),
  route("api/user/trackChoice", "routes/api/user/track-choice.ts"),
  route("api/user/continueWatching", "routes/api/user/continue-watching.ts"),
  route("api/user/upNext", "routes/api/user/up-next.ts"),
  route("api/user/watchHistory", "routes/api/user/watch-history.ts"),
  route("api/user/profile", "routes/api/user/profile.ts"),
  route("api/user/profiles", "routes/api/user/profiles.ts"),
  route("api/user/profiles/switch", "routes/api/user/profiles-switch.ts"),
  route("api/user/export", "routes/api/user/account-export.ts"),
  route("api/user/import", "routes/api/user/account-import.ts"),
  ...["api/saveUserPreferences", "api/user/saveUserPreferences"].map((path) =>
    route(path, "routes/api/save-user-preferences.ts", { id: path }),
  ),
  route("api/saveImage", "routes/api/save-image.ts"),
];

const catalog = [
  route("api/animes/franchise", "routes/api/animes/franchise.ts"),
  route("api/animes/full", "routes/api/animes/full.ts"),
  route("api/animes/getAnime", "routes/api/animes/get-anime.ts"),
  route("api/animes/people", "routes/api/animes/people.ts"),
  route("api/animes/random", "routes/api/animes/random.ts"),
  route("api/animes/suggest", "routes/api/animes/suggest.ts"),
  ...["api/episodes", "api/animes/episodes"].map((path) =>
    route(path, "routes/api/animes/episodes.ts", { id: path }),
  ),
  ...["api/episodes/getEpisode", "api/animes/episode"].map((path) =>
    route(path, "routes/api/animes/get-episode.ts", { id: path }),
  ),
];

const hooks = [
  route("api/hooks/:program", "routes/api/hooks/hook.ts"),
  route("api/hooks/:program/:secret", "routes/api/hooks/hook.ts", { id: "api/hooks/:program/:secret" }),
];

const sharing = [route("api/catalog/changes", "routes/api/catalog/changes.ts")];

/** The endpoints of Jikan, with a file for each resource. */
const jikan = [
  route("v4/openapi.json", "routes/v4/openapi.ts"),
  route("v4/anime/:id", "routes/v4/anime/anime.ts"),
  route("v4/anime/:id/full", "routes/v4/anime/full.ts"),
  route("v4/anime/:id/episodes", "routes/v4/anime/episodes.ts"),
  route("v4/anime/:id/episodes/:episode", "routes/v4/anime/episode.ts"),
  route("v4/anime/:id/characters", "routes/v4/anime/characters.ts"),
  route("v4/anime/:id/staff", "routes/v4/anime/staff.ts"),
  route("v4/anime/:id/relations", "routes/v4/anime/relations.ts"),
  route("v4/anime/:id/recommendations", "routes/v4/anime/recommendations.ts"),
  route("v4/anime/:id/external", "routes/v4/anime/external.ts"),
  route("v4/anime/:id/themes", "routes/v4/anime/themes.ts"),
  route("v4/anime/:id/streaming", "routes/v4/anime/streaming.ts"),
  route("v4/anime/:id/pictures", "routes/v4/anime/pictures.ts"),
  route("v4/anime/:id/videos", "routes/v4/anime/videos.ts"),
  route("v4/anime/:id/statistics", "routes/v4/anime/statistics.ts"),
  route("v4/anime/:id/moreinfo", "routes/v4/anime/more-info.ts"),
  route("v4/anime", "routes/v4/anime/search.ts"),
  route("v4/top/anime", "routes/v4/top-anime.ts"),
  route("v4/seasons", "routes/v4/seasons/list.ts"),
  route("v4/seasons/now", "routes/v4/seasons/now.ts"),
  route("v4/seasons/upcoming", "routes/v4/seasons/upcoming.ts"),
  route("v4/seasons/:year/:season", "routes/v4/seasons/season.ts"),
  route("v4/schedules", "routes/v4/schedules.ts"),
  route("v4/schedules/:day", "routes/v4/schedule-day.ts"),
  route("v4/genres/anime", "routes/v4/genres.ts"),
  route("v4/producers", "routes/v4/producers.ts"),
  route("v4/producers/:id", "routes/v4/producer.ts"),
  route("v4/people/:id", "routes/v4/person.ts"),
  route("v4/characters/:id", "routes/v4/character.ts"),
  route("v4/random/anime", "routes/v4/random-anime.ts"),
  route("v4/*", "routes/v4/not-in-catalog.ts"),
];

const system = [
  route("healthz", "routes/system/healthz.ts"),
  route("readyz", "routes/system/readyz.ts"),
  route("api", "routes/system/api-guide/api-guide.tsx"),
  route("api/openapi.json", "routes/system/openapi.ts"),
  route("robots.txt", "routes/system/robots.ts"),
  route("sitemap.xml", "routes/system/sitemap.ts"),
  route("api/*", "routes/system/unknown-endpoint.ts"),
  route("*", "routes/system/not-found.tsx"),
];

export default [
  ...pages,
  ...admin,
  ...account,
  ...member,
  ...catalog,
  ...sharing,
  ...hooks,
  ...media,
  ...jikan,
  ...system,
] satisfies RouteConfig;
