/** The pages of the site, each in all of its states. */

/**
 * The person who looks at the page. A stranger looks before the site has an operator; a second is another grown-up of
 * the member's household.
 */
export type Person = "stranger" | "visitor" | "member" | "second" | "newcomer" | "child" | "operator";
export type PageState = {
  /** The route's path in app/routes.ts. */
  page: string;
  state: string;
  person: Person;
  path: string;
  /** The expected status, if it is not 200. */
  status?: number;
};

const film = 900_000_001;
const without = 1;

const rows: [page: string, state: string, person: Person, path: string, status?: number][] = [
  ["/setup", "before the first operator", "stranger", "/setup"],
  ["/", "visitor", "visitor", "/"],
  ["/", "member", "member", "/"],
  ["/", "new member", "newcomer", "/"],
  ["/", "child", "child", "/"],
  ["/browse", "all titles", "visitor", "/browse"],
  ["/browse", "with filters", "member", "/browse?genre=comedy&type=tv"],
  ["/search", "results", "visitor", "/search?q=cowboy"],
  ["/search", "nothing found", "visitor", "/search?q=zzzzqqqq"],
  ["/schedule", "visitor", "visitor", "/schedule"],
  ["/schedule", "member", "member", "/schedule"],
  ["/seasons/:year?/:season?", "a season", "member", "/seasons/2019/spring"],
  ["/anime/:id/:slug?", "with a film, visitor", "visitor", `/anime/${film}`],
  ["/anime/:id/:slug?", "with a film, member", "member", `/anime/${film}`],
  ["/anime/:id/:slug?", "without a film, member", "member", `/anime/${without}`],
  ["/anime/:id/:slug?", "without a film, child", "child", "/anime/523"],
  ["/watch/:id/:episode", "a film", "member", `/watch/${film}/2`],
  ["/watch/:id/:episode", "no film", "visitor", `/watch/${without}/3`],
  ["/list", "rows", "member", "/list"],
  ["/list", "grid", "member", "/list?view=grid"],
  ["/list", "empty", "newcomer", "/list"],
  ["/list", "empty, child", "child", "/list"],
  ["/list/import", "no file yet", "member", "/list/import"],
  ["/history", "some days", "member", "/history"],
  ["/history", "empty", "newcomer", "/history"],
  ["/wishes", "some", "member", "/wishes"],
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
  ["/profiles/:id", "a child", "member", "/profiles/{child}"],
  ["/settings", "member", "member", "/settings"],
  ["/settings", "child", "child", "/settings"],
  ["/settings/import", "no file yet", "member", "/settings/import"],
  ["/about/data", "visitor", "visitor", "/about/data"],
  ["/about/privacy", "visitor", "visitor", "/about/privacy"],
  ["/admin", "operator", "operator", "/admin"],
  ["/admin/setup", "operator", "operator", "/admin/setup"],
  ["/admin/setup", "what was found", "operator", "/admin/setup?step=found"],
  ["/admin/users", "some accounts", "operator", "/admin/users"],
  ["/admin/invitations", "none", "operator", "/admin/invitations"],
  ["/admin/episode", "a film", "operator", `/admin/episode?id=${film}&episode=1`],
  ["/admin/films", "some scans", "operator", "/admin/films"],
  ["/admin/films/decide", "a folder", "operator", "/admin/films/decide?folder=&q=bebop"],
  ["/admin/films/programs", "none", "operator", "/admin/films/programs"],
  ["/admin/catalog-file", "no file yet", "operator", "/admin/catalog-file"],
  ["/admin/wishes", "some", "operator", "/admin/wishes"],
  ["/admin/hidden", "none", "operator", "/admin/hidden"],
  ["/admin/title", "a title", "operator", `/admin/title?id=${without}`],
  ["/admin/feeds", "none", "operator", "/admin/feeds"],
  ["/admin/details", "none", "operator", "/admin/details"],
  ["/admin/events", "some", "operator", "/admin/events"],
  ["/admin", "not an operator", "member", "/admin", 403],
  ["/signin", "visitor", "visitor", "/signin"],
  ["/signup", "visitor", "visitor", "/signup"],
  ["/signup/profile", "second step", "newcomer", "/signup/profile"],
  ["/signup/tastes", "third step", "newcomer", "/signup/tastes"],
  ["/reset", "site without mail", "visitor", "/reset"],
  ["/reset", "old link", "visitor", "/reset?token=old"],
  ["/verify", "old link", "visitor", "/verify?token=old"],
  ["/link", "the screen", "visitor", "/link"],
  ["/link", "the phone", "member", "/link"],
  ["/api", "visitor", "visitor", "/api"],
  ["/*", "no such page", "visitor", "/no/such/page", 404],
];

export const pageStates: readonly PageState[] = rows.map(([page, state, person, path, status]) => ({
  ...{ page, state, person, path },
  ...(status !== undefined && { status }),
}));
