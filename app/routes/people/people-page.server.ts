import { data } from "react-router";
import type { PageRefusal, RefusalText } from "#app/http/forms/page-refusal.ts";
import { searchPath } from "#app/paths.ts";
import type { CardTitle } from "#app/ui/titles/card.tsx";

/** Shared by the pages of people and of characters. */

export const titlesPerPage = 60;

/** 0 if the id is not a number: nobody has that id. */
export const idIn = (id: string) => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

const maxPage = 1000;
export const pageNumberIn = ({ searchParams }: URL) =>
  Math.min(maxPage, Math.max(1, Number.parseInt(searchParams.get("page") ?? "", 10) || 1));

const searchStep = { label: "Search", path: searchPath() };

/** Says the same for a number that does not exist and for somebody of whose titles the viewer sees none. */
export function nobodyHere(what: "person" | "character") {
  const text: RefusalText = {
    title: `No such ${what} here`,
    text: `This site knows no ${what} at this address. Search by name.`,
    step: searchStep,
  };
  const refusal: PageRefusal = { text };
  return data(refusal, { status: 404 });
}

/** Cards in the order of their titles, in one group for each year. */
export function byYear(titles: readonly CardTitle[]) {
  const years = new Map<string, CardTitle[]>();
  for (const title of titles) {
    const year = title.year === null ? "Without a date" : String(title.year);
    years.set(year, [...(years.get(year) ?? []), title]);
  }
  return [...years].map(([year, ofYear]) => ({ year, titles: ofYear }));
}

const countText = (count: number, one: string) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en")} ${one}s`;

/** "12 titles · 45,120 favorites" */
export const factsText = ({ total, favorites }: { total: number; favorites: number | null }) =>
  [countText(total, "title"), favorites === null || favorites === 0 ? null : countText(favorites, "favorite")]
    .filter((fact) => fact !== null)
    .join(" · ");
