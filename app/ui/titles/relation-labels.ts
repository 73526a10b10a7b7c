import type { RelationKind } from "#app/domain/catalog/catalog.ts";

/** What a related title is to the title of a page. */
export const relationLabels: Record<RelationKind, string> = {
  sequel: "Sequel",
  prequel: "Prequel",
  alternative_version: "Other version",
  alternative_setting: "Other setting",
  side_story: "Side story",
  parent_story: "Main story",
  summary: "Summary",
  full_story: "Full story",
  spin_off: "Spin-off",
  character: "Shares characters",
  other: "Related",
};
