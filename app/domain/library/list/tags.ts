import { maxTags } from "./entry.ts";

/** Tags as an entry keeps them, each once. Lists of other sites separate tags by commas, so a tag has none. */
export const cleanTags = (tags: readonly string[]): string[] => {
  const clean = tags.map((tag) => tag.replace(/[\s,]+/g, " ").trim());
  return [...new Set(clean)].filter((tag) => tag !== "").slice(0, maxTags);
};
