import { useRouteError, useRouteLoaderData } from "react-router";
import type { Preferences } from "#app/domain/accounts/accounts.ts";
import { schedulePath } from "#app/paths.ts";

/** What the root loader tells every page: who is looking and how they like it. */
export type SiteData = {
  requestId: string;
  origin: string;
  user: { name: string; avatar: string | null; isOperator: boolean } | null;
  preferences: Preferences;
  /** Rules for the page's one style element; worked out on the server, so that no browser loads the maths. */
  accentStyle: string;
  /** Where "Seasons" leads today. */
  seasonPath: string;
  isIndexed: boolean;
};

/** The careful choice for everything; the accounts' own defaults would bring their whole module to every page. */
const unknown: SiteData = {
  requestId: "",
  origin: "",
  user: null,
  preferences: {
    accentColor: "",
    parentalControl: true,
    trackSearchHistory: false,
    timeZone: null,
    titleLanguage: "romaji",
  },
  accentStyle: "",
  seasonPath: schedulePath(),
  isIndexed: false,
};

/** Also on the last-resort error page: the root loader itself may have failed, or a guard refused before it ran. */
export function useSiteData(): SiteData {
  const refused = (useRouteError() as { data?: { site?: SiteData } } | undefined)?.data?.site;
  return useRouteLoaderData<SiteData>("root") ?? refused ?? unknown;
}
