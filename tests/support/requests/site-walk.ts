import { readFileSync } from "node:fs";
import ts from "typescript";
import { origin } from "#tests/support/site/in-process.ts";

/**
 * Requests to every route of the site, for tests that search all answers for a title that must not show. A route
 * without an entry fails `routesOfSite`, so that no new route is left out.
 */

/** A title that must not show. `word` is a part of its name that is in no request, so no answer can echo it. */
export type Planted = { malId: number; word: string; year: number; film: string };

export type Step = {
  path: string;
  method?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** The request names the title, so its answer may say that the title does not exist or is withheld. */
  names?: true;
  /** The answer contains times or ids of its own, and differs between requests. */
  varies?: true;
};

/** A page is also requested as the data that scripts fetch. */
const page = (path: string, step: Omit<Step, "path"> = {}): Step[] => {
  const [pathname = "", query = ""] = path.split("?");
  const data = pathname === "/" ? "/_.data" : `${pathname}.data`;
  return [
    { path, ...step },
    { path: query === "" ? data : `${data}?${query}`, ...step },
  ];
};
const get = (path: string, step: Omit<Step, "path"> = {}): Step => ({ path, ...step });

/** Routes whose answers contain no title, each with the reason. */
const without =
  (_reason: string): (() => Step[]) =>
  () => [];

type Walk = Record<string, (planted: Planted) => Step[]>;

/** The schedule of this week says how soon something airs, so it differs from one minute to the next. */
const laterDate = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);

const pages: Walk = {
  "/": () => page("/"),
  "/browse": ({ word, year }) => [
    ...page("/browse"),
    ...page(`/browse?year=${year}`),
    ...page("/browse?watch=1"),
    ...page(`/browse?q=${word}`),
    get("/browse?sort=score&more=1"),
  ],
  "/about/data": () => page("/about/data"),
  "/about/privacy": () => page("/about/privacy"),
  "/search": ({ word }) => [...page(`/search?q=${word}`, { varies: true }), get("/search")],
  "/search/suggestions": ({ word }) => [
    get(`/search/suggestions?q=${word}`),
    get(`/search/suggestions?q=${word.slice(0, 4)}`),
  ],
  "/random": ({ year, word }) => [
    get(`/random?year=${year}`),
    get(`/random?q=${word}`),
    get("/random", { varies: true }),
  ],
  "/schedule": () => page(`/schedule?week=${laterDate}`),
  "/seasons/:year?/:season?": ({ year }) => [...page(`/seasons/${year}/fall`), ...page("/seasons")],
  "/anime/:id/:slug?": ({ malId }) => [...page(`/anime/${malId}`, { names: true }), ...companion("/anime")],
  "/franchise/:id/:slug?": () =>
    [1, 2, 3].flatMap((number) => [
      ...page(`/franchise/${number}`),
      ...page(`/franchise/${number}?order=released`),
    ]),
  "/watch/:id/:episode": ({ malId }) => [
    ...page(`/watch/${malId}/1`, { names: true }),
    ...companion("/watch"),
  ],
  "/people/:id/:slug?": ({ malId }) => page(`/people/${malId}`, { names: true }),
  "/characters/:id/:slug?": ({ malId }) => page(`/characters/${malId}`, { names: true }),
  "/list": ({ malId }) => [
    ...page("/list"),
    {
      path: "/list",
      form: { intent: "save", mal_id: String(malId), progress: "1" },
      names: true,
      varies: true,
    },
  ],
  "/list/import": () => page("/list/import"),
  "/history": () => page("/history", { varies: true }),
  "/wishes": ({ malId }) => [
    ...page("/wishes"),
    { path: "/wishes", form: { intent: "wish", id: String(malId) }, varies: true },
  ],
  "/profile": () => page("/profile", { varies: true }),
  "/profile/edit": () => page("/profile/edit", { varies: true }),
  "/profile/picture": without("takes a picture"),
  "/profiles": without("answers with the names of profiles"),
  "/profiles/manage": () => page("/profiles/manage", { varies: true }),
  "/profiles/titles": () => page("/profiles/titles"),
  "/profiles/pin": without("answers with a form"),
  "/profiles/leave": without("answers with a form"),
  "/profiles/:id": without("answers with a form"),
  "/settings/import": () => page("/settings/import"),
  "/settings": () => page("/settings", { varies: true }),
  "/settings/preferences": without("stores preferences"),
  "/settings/email": without("changes the e-mail address"),
  "/settings/password": without("stores a password"),
  "/settings/sessions": without("ends sessions"),
  "/settings/tokens": without("makes tokens"),
  "/settings/account": without("deletes the account"),
  "/visitor": without("stores preferences"),
};

/** A visible title that is related to the planted one. */
export const companionId = 1;
const companion = (of: "/anime" | "/watch") =>
  of === "/anime" ? page(`/anime/${companionId}/companion`) : page(`/watch/${companionId}/1`);

const admin: Walk = {
  "/setup": () => page("/setup"),
  "/admin/setup": () => page("/admin/setup"),
  "/admin": () => page("/admin"),
  "/admin/users": () => page("/admin/users"),
  "/admin/invitations": () => page("/admin/invitations"),
  "/admin/episode": ({ malId }) => page(`/admin/episode?id=${malId}&episode=1`, { names: true }),
  "/admin/films": () => page("/admin/films"),
  "/admin/films/programs": () => page("/admin/films/programs"),
  "/admin/films/decide": () => page("/admin/films/decide?folder="),
  "/admin/catalog-file": () => page("/admin/catalog-file"),
  "/admin/wishes": () => page("/admin/wishes"),
  "/admin/hidden": () => page("/admin/hidden"),
  "/admin/events": () => page("/admin/events", { varies: true }),
  "/admin/feeds": () => page("/admin/feeds"),
  "/admin/details": () => page("/admin/details", { names: true }),
  "/admin/title": ({ malId }) => page(`/admin/title?id=${malId}`, { names: true }),
  "/admin/title/picture": without("takes a picture"),
};

const media: Walk = {
  "/poster/:id.webp": ({ malId }) => [get(`/poster/${malId}.webp?w=160`, { names: true })],
  "/poster/:id.jpg": ({ malId }) => [get(`/poster/${malId}l.jpg`, { names: true })],
  "/ipfs/:cid": without("answers for a hash of bytes"),
  "/api/proxy": without("answers for the address of a picture"),
  "/api/uploadImage": without("takes a picture"),
  "/api/videoProxy": ({ film }) => [
    get(`/api/videoProxy?url=${encodeURIComponent(`${origin}/media/${film}`)}`, { names: true }),
  ],
  "/play/:film/:version/:name": without("answers for an id that only the page of an episode names"),
  "/captions/:file": without("answers for an id that only the page of an episode names"),
  ...Object.fromEntries(
    ["film/:film", "film/:film/:part", "play/:film/:version/:name", "captions/:file"].map((path) => [
      `/signed/:pass/${path}`,
      without("answers for a pass that only members get"),
    ]),
  ),
  "/film/:film/open.m3u": without("answers for an id that only the page of an episode names"),
  "/film/:film": without("answers for an id that only the page of an episode names"),
  "/film/:film/:part": without("answers for an id that only the playlist of a film names"),
  "/media/*": ({ film }) => [get(`/media/${film}`, { names: true })],
};

const noTitle = without("answers with accounts, not with titles");
const account: Walk = {
  "/signin": noTitle,
  "/signup": noTitle,
  "/signup/profile": noTitle,
  "/signup/tastes": () => page("/signup/tastes", { varies: true }),
  "/reset": noTitle,
  "/verify": noTitle,
  "/link": noTitle,
  "/link/continue": noTitle,
  ...Object.fromEntries(
    "signup signin signout provider callback session sessions tokens password reset reset/confirm verify device device/token"
      .split(" ")
      .map((name) => [`/api/auth/${name}`, noTitle]),
  ),
  "/api/user/account": noTitle,
};

const listWrites = (path: string, method: string, malId: number): Step => ({
  path,
  method,
  json: { animeId: malId, type: "Watching" },
  names: true,
});

const library: Walk = {
  "/api/user/watchList": ({ malId }) => [
    get("/api/user/watchList"),
    listWrites("/api/user/watchList", "POST", malId),
    listWrites("/api/user/watchList", "PUT", malId),
    listWrites("/api/user/watchList", "DELETE", malId),
  ],
  "/api/user/watchList/add": ({ malId }) => [listWrites("/api/user/watchList/add", "POST", malId)],
  "/api/user/watchList/remove": ({ malId }) => [listWrites("/api/user/watchList/remove", "DELETE", malId)],
  "/api/user/watchList/update": ({ malId }) => [listWrites("/api/user/watchList/update", "PUT", malId)],
  "/api/user/watchList/import": ({ malId }) => [
    {
      path: "/api/user/watchList/import?preview=1",
      json: {
        format: "engawa-list",
        version: 1,
        entries: [{ mal_id: malId, type: "Watching", progress: 999 }],
      },
      names: true,
      // The answer counts the member's entries, including those that the member may not see.
      varies: true,
    },
  ],
  "/api/user/watchList/import/undo": without("answers with numbers of entries"),
  "/api/user/watchList/export": without("the member's own file holds the whole list, with the names in it"),
  "/api/user/searchHistory": without("answers with what the member typed"),
  "/api/user/progress": ({ malId }) => [
    {
      path: "/api/user/progress",
      method: "PUT",
      json: { mal_id: malId, ep: 1, position: 95, duration: 100 },
      names: true,
    },
  ],
  "/api/user/trackChoice": ({ malId }) => [
    { path: "/api/user/trackChoice", method: "PUT", json: { mal_id: malId, subtitles: "off" }, names: true },
  ],
  "/api/user/continueWatching": () => [get("/api/user/continueWatching")],
  "/api/user/upNext": () => [get("/api/user/upNext")],
  "/api/user/watchHistory": () => [get("/api/user/watchHistory")],
  "/api/user/profile": () => [get("/api/user/profile", { varies: true })],
  "/api/user/profiles": without("answers with the names of profiles"),
  "/api/user/profiles/switch": without("answers with the name of a profile"),
  "/api/user/export": without("the member's own file holds everything that the site keeps about them"),
  "/api/user/import": without("answers as the import of a list"),
  "/api/saveUserPreferences": noTitle,
  "/api/user/saveUserPreferences": noTitle,
  "/api/saveImage": noTitle,
};

const episodes =
  (path: string) =>
  ({ malId }: Planted) => [get(`${path}?id=${malId}`, { names: true }), get(`${path}?id=${companionId}`)];
const episode =
  (path: string) =>
  ({ malId }: Planted) => [get(`${path}?mal_id=${malId}&ep=1`, { names: true })];

const catalog: Walk = {
  "/api/animes/full": ({ word, year, malId }) => [
    get("/api/animes/full"),
    get("/api/animes/full?order_by=popularity&limit_count=100"),
    get(`/api/animes/full?year_filter=${year}`),
    get(`/api/animes/full?search_query=${word}`),
    get("/api/animes/full?playable=true"),
    get(`/api/animes/full?external=anidb:${malId}`),
  ],
  "/api/animes/franchise": ({ malId }) => [
    get(`/api/animes/franchise?id=${malId}`, { names: true }),
    get(`/api/animes/franchise?id=${companionId}`),
    get("/api/animes/franchise?number=1"),
    get("/api/animes/franchise?number=2"),
  ],
  "/api/animes/getAnime": ({ malId }) => [
    get(`/api/animes/getAnime?id=${malId}`, { names: true }),
    get(`/api/animes/getAnime?id=${companionId}`),
  ],
  "/api/animes/people": ({ malId }) => [
    get(`/api/animes/people?id=${malId}`, { names: true }),
    get(`/api/animes/people?id=${companionId}`),
  ],
  "/api/animes/random": ({ year, word }) => [
    get(`/api/animes/random?year_filter=${year}`),
    get(`/api/animes/random?search_query=${word}`),
  ],
  "/api/animes/suggest": ({ word }) => [
    get(`/api/animes/suggest?q=${word}`),
    get(`/api/animes/suggest?q=${word.slice(0, 4)}`),
  ],
  "/api/hooks/:program": without("takes messages of other programs"),
  "/api/hooks/:program/:secret": without("takes messages of other programs"),
  "/api/catalog/changes": () => [get("/api/catalog/changes", { varies: true })],
  "/api/episodes": episodes("/api/episodes"),
  "/api/animes/episodes": episodes("/api/animes/episodes"),
  "/api/episodes/getEpisode": episode("/api/episodes/getEpisode"),
  "/api/animes/episode": episode("/api/animes/episode"),
};

const ofTitle = (part: string): Walk => ({
  [`/v4/anime/:id${part}`]: ({ malId }) => [
    get(`/v4/anime/${malId}${part}`, { names: true }),
    get(`/v4/anime/${companionId}${part}`),
  ],
});

const jikan: Walk = {
  "/v4/openapi.json": without("documents the API"),
  ...ofTitle(""),
  ...Object.assign(
    {},
    ...["full", "episodes", "relations", "characters", "staff", "recommendations", "external"].map((part) =>
      ofTitle(`/${part}`),
    ),
    ...["pictures", "videos", "statistics", "moreinfo", "themes", "streaming"].map((part) =>
      ofTitle(`/${part}`),
    ),
  ),
  "/v4/anime/:id/episodes/:episode": ({ malId }) => [
    get(`/v4/anime/${malId}/episodes/1`, { names: true }),
    get(`/v4/anime/${companionId}/episodes/1`),
  ],
  "/v4/anime": ({ word, year }) => [
    get("/v4/anime?unapproved&order_by=members&sort=desc"),
    get(`/v4/anime?q=${word}`),
    get(`/v4/anime?letter=${word}`),
    get(`/v4/anime?start_date=${year}&end_date=${year}`),
  ],
  "/v4/top/anime": () => [get("/v4/top/anime"), get("/v4/top/anime?filter=favorite")],
  "/v4/seasons": () => [get("/v4/seasons")],
  "/v4/seasons/now": () => [get("/v4/seasons/now?continuing")],
  "/v4/seasons/upcoming": () => [get("/v4/seasons/upcoming")],
  "/v4/seasons/:year/:season": ({ year }) => [get(`/v4/seasons/${year}/fall?unapproved`)],
  "/v4/schedules": () => [get("/v4/schedules?unapproved")],
  "/v4/schedules/:day": () => [get("/v4/schedules/monday?unapproved")],
  "/v4/genres/anime": () => [get("/v4/genres/anime")],
  "/v4/producers": ({ word }) => [get("/v4/producers"), get(`/v4/producers?q=${word}`)],
  "/v4/producers/:id": () => [get("/v4/producers/14", { names: true })],
  "/v4/people/:id": ({ malId }) => [get(`/v4/people/${malId}`, { names: true })],
  "/v4/characters/:id": ({ malId }) => [get(`/v4/characters/${malId}`, { names: true })],
  "/v4/random/anime": () => [get("/v4/random/anime", { varies: true })],
  "/v4/*": () => [get("/v4/manga/1")],
};

const system: Walk = {
  "/healthz": without("says that the process runs"),
  "/readyz": without("says that the process is ready"),
  "/api": without("documents the API"),
  "/api/openapi.json": without("documents the API"),
  "/robots.txt": () => [get("/robots.txt")],
  "/sitemap.xml": () => [get("/sitemap.xml")],
  "/api/*": () => [get("/api/no-such-endpoint")],
  "/*": () => page("/no-such-page"),
};

const walk: Walk = { ...pages, ...admin, ...media, ...account, ...library, ...catalog, ...jikan, ...system };

export const walkedRoutes = Object.keys(walk);

/** The steps for all planted titles, without duplicates. */
export const stepsFor = (planted: readonly Planted[]): Step[] => {
  const steps = planted.flatMap((one) => Object.values(walk).flatMap((stepsOf) => stepsOf(one)));
  return [...new Map(steps.map((step) => [JSON.stringify(step), step])).values()];
};

type Entry = { path: string; children: Entry[] };

/** Runs routes.ts with functions that only collect the paths. The built application does not contain the module. */
function readRouteTable(): Entry[] {
  const { outputText } = ts.transpileModule(readFileSync("app/routes.ts", "utf8"), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const table: { default: Entry[] } = { default: [] };
  const route = (path: string, _file: string, ...rest: unknown[]): Entry => ({
    path,
    children: (rest.find(Array.isArray) as Entry[] | undefined) ?? [],
  });
  new Function("exports", "require", outputText)(table, () => ({ route, index: () => route("", "") }));
  return table.default;
}

/** Every path in routes.ts. */
export function routesOfSite(): string[] {
  const pathsOf = (entries: readonly Entry[], parent: string): string[] =>
    entries.flatMap(({ path, children }) => {
      const whole = path === "" ? "/" : `${parent}/${path}`;
      return [whole, ...pathsOf(children, whole)];
    });
  return [...new Set(pathsOf(readRouteTable(), ""))];
}
