import { withQuery } from "#app/paths.ts";

/** `all` if the address of a title's page asks for all its details. */
export const detailsIn = (search: string) =>
  new URLSearchParams(search).get("details") === "all" ? "all" : undefined;

/** The query of the page with another part of the episodes. Details that are shown stay. */
export const withPart = (search: string, part: number): string =>
  withQuery("", { episodes: part, details: detailsIn(search) });
