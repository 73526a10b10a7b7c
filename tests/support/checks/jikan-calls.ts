/** Calls of every route and parameter of the API in Jikan's shapes, each with its path in Jikan's description. */

type JikanCall = { path: string; call: string };

/** `id` is a title with episodes, relations and a trailer. `producer` is the number of a company. */
export function jikanCalls({ id, producer }: { id: number; producer: number }): JikanCall[] {
  const calls: Record<string, string[]> = {
    "/anime/{id}": [`/anime/${id}`],
    "/anime/{id}/full": [`/anime/${id}/full`],
    "/anime/{id}/episodes": [`/anime/${id}/episodes`, `/anime/${id}/episodes?page=2`],
    "/anime/{id}/episodes/{episode}": [`/anime/${id}/episodes/1`],
    "/anime/{id}/relations": [`/anime/${id}/relations`],
    "/anime/{id}/recommendations": [`/anime/${id}/recommendations`],
    "/anime/{id}/external": [`/anime/${id}/external`],
    "/anime/{id}/pictures": [`/anime/${id}/pictures`],
    "/anime/{id}/videos": [`/anime/${id}/videos`],
    "/anime/{id}/themes": [`/anime/${id}/themes`],
    "/anime/{id}/streaming": [`/anime/${id}/streaming`],
    "/anime/{id}/moreinfo": [`/anime/${id}/moreinfo`],
    "/anime": searches(producer).map((query) => `/anime${query}`),
    "/top/anime": [
      "/top/anime",
      ...["airing", "upcoming", "bypopularity", "favorite"].map((filter) => `/top/anime?filter=${filter}`),
      "/top/anime?type=movie&rating=pg13&sfw&page=2&limit=3",
    ],
    "/seasons": ["/seasons"],
    "/seasons/now": ["/seasons/now", "/seasons/now?continuing&unapproved&sfw=true&filter=tv&limit=5"],
    "/seasons/upcoming": ["/seasons/upcoming", "/seasons/upcoming?filter=movie"],
    "/seasons/{year}/{season}": ["/seasons/2020/spring", "/seasons/2020/Fall?continuing&page=2&limit=2"],
    "/schedules": [
      "/schedules",
      ...["monday", "sunday", "unknown", "other"].map((filter) => `/schedules?filter=${filter}`),
      "/schedules?kids=true",
      "/schedules?kids=false&sfw=true&unapproved&page=1&limit=10",
    ],
    "/schedules/{day}": [
      "/schedules/monday",
      "/schedules/other?kids=false&sfw=true&unapproved&page=1&limit=10",
    ],
    "/genres/anime": [
      "/genres/anime",
      ...["genres", "explicit_genres", "themes", "demographics"].map(
        (filter) => `/genres/anime?filter=${filter}`,
      ),
    ],
    "/producers": [
      "/producers",
      "/producers?q=a&letter=s&page=1&limit=5",
      ...["mal_id", "count", "favorites", "established"].map(
        (order) => `/producers?order_by=${order}&sort=desc`,
      ),
    ],
    "/producers/{id}": [`/producers/${producer}`],
    "/random/anime": ["/random/anime", "/random/anime?sfw"],
  };
  return Object.entries(calls).flatMap(([path, list]) => list.map((call) => ({ path, call })));
}

const searches = (producer: number) => [
  "",
  "?q=one",
  "?page=2&limit=7",
  "?unapproved",
  ...["tv", "movie", "ova", "special", "ona", "music", "cm", "pv", "tv_special"].map(
    (type) => `?type=${type}`,
  ),
  "?score=8",
  "?min_score=7.5&max_score=8.5",
  ...["airing", "complete", "upcoming"].map((status) => `?status=${status}`),
  ...["g", "pg", "pg13", "r17", "r", "rx"].map((rating) => `?rating=${rating}`),
  ...["true", "false"].map((sfw) => `?sfw=${sfw}`),
  "?sfw",
  "?genres=1,2&genres_exclude=10",
  `?producers=${producer}`,
  "?letter=s",
  "?start_date=2005-05&end_date=2012",
  "?start_date=2005-01-01",
  ...[
    ...["mal_id", "title", "start_date", "end_date", "episodes", "score", "scored_by", "rank"],
    ...["popularity", "members", "favorites"],
  ].flatMap((order) => [`?order_by=${order}`, `?q=a&order_by=${order}&sort=desc`]),
];

/** The routes that answer only for a title with details, for title 1. */
export const jikanPeopleCalls = (personId: number, characterId: number): JikanCall[] => [
  { path: "/anime/{id}/characters", call: "/anime/1/characters" },
  { path: "/anime/{id}/staff", call: "/anime/1/staff" },
  { path: "/people/{id}", call: `/people/${personId}` },
  { path: "/characters/{id}", call: `/characters/${characterId}` },
];
