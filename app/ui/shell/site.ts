import { useRouteError, useRouteLoaderData } from "react-router";
import type { Preferences } from "#app/domain/accounts/accounts.ts";
import { schedulePath } from "#app/paths.ts";

/** The preferences that pages read in the browser. */
export type SitePreferences = Pick<
  Preferences,
  | "accentColor"
  | "theme"
  | "parentalControl"
  | "trackSearchHistory"
  | "timeZone"
  | "titleLanguage"
  | "scoreFormat"
>;

/** The root loader's data for every page: the viewer, the preferences and the site. */
export type SiteData = {
  origin: string;
  user: {
    name: string;
    avatar: string | null;
    isOperator: boolean;
    isOneOfSeveral: boolean;
    /** The pages of their own. */
    pages: [path: string, label: string][];
    /** A child cannot. */
    maySignOut: boolean;
  } | null;
  preferences: SitePreferences;
  /** The CSS of the page's style element, from the server: browsers need not load the color calculations. */
  accentStyle: string;
  /** The path of the current season. */
  seasonPath: string;
  isIndexed: boolean;
  /** The site answers only members, and this is a visitor: the page links to nothing else. */
  isClosed: boolean;
  /** What the operator says about the site; null without any. */
  operator: { name: string | undefined; links: (readonly [label: string, url: string])[] } | null;
  /** Of the titles with a new picture, the mark that their posters have in their addresses. */
  newPictures: Record<number, string>;
  /** What the household decided about titles, for its owner if it has a child. */
  forChildren: Readonly<Record<number, "allowed" | "blocked">> | null;
};

/** Strict values for a page without site data. Importing the accounts' defaults would load their module everywhere. */
const unknown: SiteData = {
  origin: "",
  user: null,
  preferences: {
    accentColor: "",
    theme: "dark",
    parentalControl: true,
    trackSearchHistory: false,
    timeZone: null,
    titleLanguage: "romaji",
    scoreFormat: "whole",
  },
  accentStyle: "",
  seasonPath: schedulePath(),
  isIndexed: false,
  isClosed: false,
  operator: null,
  newPictures: {},
  forChildren: null,
};

/** Also works on the error page of the root, where the root loader failed or a guard refused before it ran. */
export function useSiteData(): SiteData {
  const refused = (useRouteError() as { data?: { site?: SiteData } } | undefined)?.data?.site;
  return useRouteLoaderData<SiteData>("root") ?? refused ?? unknown;
}
