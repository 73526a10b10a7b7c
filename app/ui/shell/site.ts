import { useRouteError, useRouteLoaderData } from "react-router";
import type { Preferences, TitleVerdict } from "#app/domain/accounts/accounts.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { schedulePath } from "#app/paths.ts";

/** The preferences that pages read in the browser. */
export type SitePreferences = { titleLanguage: TitleLanguage } & Pick<
  Preferences,
  "accentColor" | "theme" | "parentalControl" | "trackSearchHistory" | "timeZone" | "scoreFormat"
>;

/** The root loader's data for every page: the viewer, the preferences and the site. */
export type SiteData = {
  origin: string;
  user: {
    name: string;
    avatar: string | null;
    isOperator: boolean;
    isOneOfSeveral: boolean;
    /** The member's own pages. */
    pages: [path: string, label: string][];
    isChild: boolean;
  } | null;
  preferences: SitePreferences;
  /** `browser` if the reader has chosen no title language. */
  chosenTitleLanguage: Preferences["titleLanguage"];
  /** The CSS of the page's style element, from the server: browsers need not load the color calculations. */
  accentStyle: string;
  /** The path of the current season. */
  seasonPath: string;
  isIndexed: boolean;
  /** The site answers only members and the reader is a visitor, so the page links only to signing in. */
  isClosed: boolean;
  /** The operator's name and links; null if neither is set. */
  operator: { name: string | undefined; links: (readonly [label: string, url: string])[] } | null;
  /** For each title with a changed picture: the mark in its posters' addresses. */
  newPictures: Record<number, string>;
  /** The household's decisions about titles. Null unless the viewer owns a household with a child. */
  forChildren: Readonly<Record<number, TitleVerdict>> | null;
};

/**
 * Strict defaults for a page without site data. Importing the accounts' defaults would load their module on every page.
 */
const unknown: SiteData = {
  origin: "",
  user: null,
  preferences: {
    accentColor: "",
    theme: "system",
    parentalControl: true,
    trackSearchHistory: false,
    timeZone: null,
    titleLanguage: "romaji",
    scoreFormat: "whole",
  },
  chosenTitleLanguage: "browser",
  accentStyle: "",
  seasonPath: schedulePath(),
  isIndexed: false,
  isClosed: false,
  operator: null,
  newPictures: {},
  forChildren: null,
};

/** Also works on the root's error page, where the root loader failed or a guard refused the request before it ran. */
export function useSiteData(): SiteData {
  const refused = (useRouteError() as { data?: { site?: SiteData } } | undefined)?.data?.site;
  return useRouteLoaderData<SiteData>("root") ?? refused ?? unknown;
}
