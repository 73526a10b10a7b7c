import { LRUCache } from "lru-cache";
import { accentStyle } from "./accent.ts";

const styles = new LRUCache<string, string>({ max: 1000 });

/** The same few styles are on every page, and to find colors with enough contrast takes longer than to write one. */
export function rememberedAccentStyle(...chosen: Parameters<typeof accentStyle>): string {
  const key = chosen.join(" ");
  const style = styles.get(key) ?? accentStyle(...chosen);
  styles.set(key, style);
  return style;
}
