import { useRef } from "react";

/**
 * Keeps rows in the order in which they were loaded. Otherwise an edit that changes the sort order would move the row,
 * and the next click would hit a different row. Another `pagePath`, or another visit, sorts the rows again.
 */
export function useStableOrder<Item extends { malId: number }>(
  items: readonly Item[],
  pagePath: string,
): Item[] {
  const loaded = useRef<{ pagePath: string; ids: number[] }>(null);
  if (loaded.current?.pagePath !== pagePath)
    loaded.current = { pagePath, ids: items.map(({ malId }) => malId) };
  const { ids } = loaded.current;
  const rankOf = ({ malId }: Item) => (ids.includes(malId) ? ids.indexOf(malId) : ids.length);
  return [...items].sort((a, b) => rankOf(a) - rankOf(b));
}
