import {
  brokenPictures,
  character,
  film,
  filmPage,
  longTitle,
  person,
  titleWithBrokenSource,
  watchPage,
} from "#tests/support/browser/pages.ts";

/**
 * Every page of the site, in its states. `npm run bench -- pictures` takes a picture of each state on a new site, and
 * the walks of tests/release open it on the shared site. Those of tests/journeys open the first state of each page. A unit
 * test finds pages without a state.
 */

/**
 * The person who looks at the page. A stranger looks before the site has an operator; a second is another grown-up of
 * the member's household. The walks have a visitor, and an operator who is a member too.
 */
export type Person = "stranger" | "visitor" | "member" | "second" | "newcomer" | "child" | "operator";

type Options = {
  /** The expected status, if it is not 200. */
  status?: number;
  /** The state needs data that only one of the sites has, or would show the other nothing new. */
  onlyIn?: "pictures" | "walk";
};

export type PageState = Options & {
  /** The route's path in app/routes.ts. */
  page: string;
  state: string;
  person: Person;
  path: string;
};

const onlyWalk: Options = { onlyIn: "walk" };
const onlyPicture: Options = { onlyIn: "pictures" };

const rows: [page: string, state: string, person: Person, path: string, options?: Options][] = [
  ["/setup", "before the first operator", "stranger", "/setup"],
  ["/", "visitor", "visitor", "/"],
  ["/", "member", "member", "/"],
  ["/", "new member", "newcomer", "/"],
  ["/", "child", "child", "/"],
  ["/browse", "all titles", "visitor", "/browse"],
  ["/browse", "with filters", "visitor", "/browse?genre=action&without=ecchi&type=tv&score=7"],
  ["/browse", "one title", "visitor", "/browse?genre=sci-fi&year=1917", onlyWalk],
  ["/browse", "years in the future", "visitor", "/browse?year=2031&season=spring", onlyWalk],
  ["/browse", "behind the last page", "visitor", "/browse?page=9999", onlyWalk],
  ["/search", "no query", "visitor", "/search", onlyWalk],
  ["/search", "results", "visitor", "/search?q=naruto"],
  ["/search", "results for a typo", "visitor", "/search?q=cowbyo+bebob", onlyWalk],
  ["/search", "nothing found", "visitor", "/search?q=zzzzqqqq"],
  ["/schedule", "visitor", "visitor", "/schedule"],
  ["/schedule", "an empty week", "visitor", "/schedule?week=1950-01-02", onlyWalk],
  ["/schedule", "member", "member", "/schedule", onlyPicture],
  ["/seasons/:year?/:season?", "a season", "visitor", "/seasons/2024/fall"],
  ["/seasons/:year?/:season?", "an empty season", "visitor", "/seasons/1902/winter", onlyWalk],
  ["/anime/:id/:slug?", "with a film, visitor", "visitor", filmPage],
  ["/anime/:id/:slug?", "with a film, member", "member", filmPage],
  ["/anime/:id/:slug?", "without a film, visitor", "visitor", "/anime/1/cowboy-bebop", onlyWalk],
  ["/anime/:id/:slug?", "without a film, member", "member", "/anime/1/cowboy-bebop"],
  ["/anime/:id/:slug?", "without a film, child", "child", "/anime/523"],
  ["/anime/:id/:slug?", "many episodes", "visitor", "/anime/21/one-piece", onlyWalk],
  ["/anime/:id/:slug?", "a very long name", "visitor", longTitle, onlyWalk],
  ["/anime/:id/:slug?", "a name of one letter", "visitor", "/anime/800000002/q", onlyWalk],
  ["/anime/:id/:slug?", "mature", "visitor", "/anime/800000003", { status: 403, onlyIn: "walk" }],
  ["/anime/:id/:slug?", "next year", "visitor", "/anime/800000004/next-year-on-the-porch", onlyWalk],
  ["/anime/:id/:slug?", "pictures that fail to load", "visitor", brokenPictures, onlyWalk],
  ["/franchise/:id/:slug?", "the first of the starter catalog", "member", "/franchise/1"],
  ["/franchise/:id/:slug?", "as released", "visitor", "/franchise/1?order=released", onlyWalk],
  ["/people/:id/:slug?", "a long name", "visitor", `/people/${person}/person-with-a-long-name`, onlyWalk],
  [
    "/characters/:id/:slug?",
    "a longer name",
    "visitor",
    `/characters/${character}/character-with-an-even-longer-name-of-four-words`,
    onlyWalk,
  ],
  ["/watch/:id/:episode", "a film", "member", `/watch/${film}/2`, onlyPicture],
  ["/watch/:id/:episode", "the first film", "member", watchPage, onlyWalk],
  ["/watch/:id/:episode", "a source that fails", "member", `/watch/${titleWithBrokenSource}/1`, onlyWalk],
  ["/watch/:id/:episode", "no film", "member", `/watch/${titleWithBrokenSource}/2`, onlyWalk],
  ["/watch/:id/:episode", "no film, visitor", "visitor", "/watch/1/3"],
  ["/list", "rows", "member", "/list"],
  ["/list", "grid", "member", "/list?view=grid"],
  ["/list", "collection", "member", "/list?tab=collection", onlyWalk],
  ["/list", "empty", "newcomer", "/list"],
  ["/list", "empty, child", "child", "/list"],
  ["/list/import", "no file yet", "member", "/list/import"],
  ["/history", "some days", "member", "/history"],
  ["/history", "empty", "newcomer", "/history"],
  ["/wishes", "some", "member", "/wishes", onlyPicture],
  ["/wishes", "none", "newcomer", "/wishes"],
  ["/profile", "member", "member", "/profile"],
  ["/profile", "new member", "newcomer", "/profile"],
  ["/profile", "child", "child", "/profile"],
  ["/profile/edit", "member", "member", "/profile/edit"],
  ["/profiles", "member", "member", "/profiles"],
  ["/profiles", "asks for a PIN", "child", "/profiles?enter={member}"],
  ["/profiles/manage", "three profiles", "member", "/profiles/manage"],
  ["/profiles/titles", "no title yet", "member", "/profiles/titles"],
  ["/profiles/pin", "PIN is set", "member", "/profiles/pin"],
  ["/profiles/leave", "second grown-up", "second", "/profiles/leave"],
  ["/profiles/:id", "a child", "member", "/profiles/{child}", onlyPicture],
  ["/settings", "member", "member", "/settings"],
  ["/settings", "child", "child", "/settings"],
  ["/settings/import", "no file yet", "member", "/settings/import"],
  ["/about/data", "visitor", "visitor", "/about/data"],
  ["/about/privacy", "visitor", "visitor", "/about/privacy"],
  ["/admin", "operator", "operator", "/admin"],
  ["/admin", "not an operator", "member", "/admin", { status: 403, onlyIn: "pictures" }],
  ["/admin/setup", "operator", "operator", "/admin/setup"],
  ["/admin/setup", "what was found", "operator", "/admin/setup?step=found"],
  ["/admin/users", "some accounts", "operator", "/admin/users", onlyPicture],
  // Begins after "x", so accounts of other files do not make the page longer.
  ["/admin/users", "one account", "operator", "/admin/users?after=x", onlyWalk],
  ["/admin/invitations", "none", "operator", "/admin/invitations"],
  ["/admin/episode", "a film", "operator", `/admin/episode?id=${film}&episode=1`],
  [
    "/admin/episode",
    "a source that fails",
    "operator",
    `/admin/episode?id=${titleWithBrokenSource}&episode=1`,
    onlyWalk,
  ],
  ["/admin/films", "some scans", "operator", "/admin/films"],
  ["/admin/films/decide", "a folder", "operator", "/admin/films/decide?folder=&q=bebop", onlyPicture],
  ["/admin/films/programs", "none", "operator", "/admin/films/programs"],
  ["/admin/catalog-file", "no file yet", "operator", "/admin/catalog-file"],
  ["/admin/wishes", "some", "operator", "/admin/wishes"],
  ["/admin/hidden", "none", "operator", "/admin/hidden"],
  ["/admin/title", "a title", "operator", `/admin/title?id=${titleWithBrokenSource}`],
  ["/admin/feeds", "none", "operator", "/admin/feeds"],
  ["/admin/details", "none", "operator", "/admin/details"],
  ["/admin/events", "some", "operator", "/admin/events"],
  ["/signin", "visitor", "visitor", "/signin"],
  ["/signup", "visitor", "visitor", "/signup"],
  ["/signup/profile", "second step", "newcomer", "/signup/profile", onlyPicture],
  ["/signup/profile", "second step", "member", "/signup/profile", onlyWalk],
  ["/signup/tastes", "third step", "newcomer", "/signup/tastes", onlyPicture],
  ["/signup/tastes", "third step", "member", "/signup/tastes", onlyWalk],
  ["/reset", "site without mail", "visitor", "/reset"],
  ["/reset", "old link", "visitor", "/reset?token=old"],
  ["/verify", "old link", "visitor", "/verify?token=old"],
  ["/link", "the screen", "visitor", "/link"],
  ["/link", "the phone", "member", "/link"],
  ["/api", "visitor", "visitor", "/api"],
  ["/*", "no such page", "visitor", "/no/such/page", { status: 404 }],
];

const pageStates = rows.map(
  ([page, state, person, path, options = {}]): PageState => ({
    page,
    state,
    person,
    path,
    ...options,
  }),
);

export const picturedPages = pageStates.filter(({ onlyIn }) => onlyIn !== "walk");

const walkedBy = (...people: Person[]) =>
  pageStates.filter(({ person, onlyIn }) => onlyIn !== "pictures" && people.includes(person));
export const visitorPages = walkedBy("visitor");
export const operatorPages = walkedBy("member", "operator");
