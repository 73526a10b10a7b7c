import { useRef } from "react";
import { useLocation } from "react-router";

/**
 * Keeps rows in the order in which they were loaded. Otherwise an edit that changes the sort order would move the row,
 * and the next click would hit a different row. Another tab, order, page or visit sorts the rows again.
 */
export function useStableOrder<Item extends { malId: number }>(items: readonly Item[]): Item[] {
  const { search } = useLocation();
  const loaded = useRef<{ search: string; ids: number[] }>(null);
  if (loaded.current?.search !== search) loaded.current = { search, ids: items.map(({ malId }) => malId) };
  const { ids } = loaded.current;
  const rankOf = ({ malId }: Item) => (ids.includes(malId) ? ids.indexOf(malId) : ids.length);
  return [...items].sort((a, b) => rankOf(a) - rankOf(b));
}
