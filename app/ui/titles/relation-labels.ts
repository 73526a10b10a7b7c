import type { RelationKind } from "#app/domain/catalog/catalog.ts";

/** Labels for the relation of another title to the title of the page. */
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
