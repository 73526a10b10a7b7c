import { useRef } from "react";
import { useLocation } from "react-router";

/**
 * Rows stay where they were found, though a change may belong elsewhere in the order by now: a list that moves under
 * the hand that edits it is no list. Another tab, order or page, or the next visit, puts things right.
 */
export function useStableOrder<Item extends { malId: number }>(items: readonly Item[]): Item[] {
  const { search } = useLocation();
  const found = useRef<{ search: string; ids: number[] }>(null);
  if (found.current?.search !== search) found.current = { search, ids: items.map(({ malId }) => malId) };
  const { ids } = found.current;
  const place = ({ malId }: Item) => (ids.includes(malId) ? ids.indexOf(malId) : ids.length);
  return [...items].sort((a, b) => place(a) - place(b));
}
