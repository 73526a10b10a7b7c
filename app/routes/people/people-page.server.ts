import { data, redirect } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import type { Outcome } from "#app/domain/errors.ts";
import type { CharacterPage, PersonPage } from "#app/domain/people/people.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import type { PageRefusal } from "#app/http/forms/page-refusal.ts";
import { searchPath, slugOf, storedImagePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { groupBy } from "#app/platform/lists.ts";
import { pageNumberIn } from "#app/platform/numbered-pages.ts";
import { bothNamesOf } from "#app/routes/views/people-views.server.ts";
import { withOwnEntries } from "#app/routes/views/title-views.server.ts";
import type { Portrait } from "#app/ui/people/portrait.tsx";
import type { CardTitle } from "#app/ui/titles/card.tsx";
import type { Route } from "./+types/person";

/** The pages of people and of characters: both show a name, a picture, others beside it, and titles by year. */

type CreditedOne = Pick<PersonPage, keyof PersonPage & keyof CharacterPage>;
type Kind<One extends CreditedOne> = {
  what: "person" | "character";
  find(id: number, page: { page: number; perPage: number }, viewer: Viewer): Promise<Outcome<One>>;
  pathOf(id: number, name: string): string;
  cardsOf(one: One, language: TitleLanguage): CardTitle[];
  othersOf(one: One, language: TitleLanguage): { heading: string; portraits: Portrait[] };
};
type Visit = Pick<Route.LoaderArgs, "request" | "params" | "context" | "url">;

export async function loadCredits<One extends CreditedOne>(
  { request, params, context, url }: Visit,
  { what, find, pathOf, cardsOf, othersOf }: Kind<One>,
) {
  const { user, preferences, viewer } = await getVisit(request, context);
  const page = pageNumberIn(url.searchParams.get("page"), maxPage);
  const credited = await find(idIn(params.id), { page, perPage: titlesPerPage }, viewer);
  if (!credited.ok) throw data(nobodyHere(what), { status: 404 });
  const one = credited.value;
  const path = pathOf(one.id, one.name);
  // Only the id counts, as in the addresses of titles.
  if ((params.slug ?? "") !== slugOf(one.name)) throw redirect(path + url.search, 301);
  const language = preferences.titleLanguage;
  return {
    head: {
      ...bothNamesOf(one, language),
      picture: one.pictureCid && storedImagePath(one.pictureCid),
      facts: factsText(one),
    },
    path,
    others: othersOf(one, language),
    years: byYear(await withOwnEntries(cardsOf(one, language), { user, preferences })),
    page: one.page,
    lastPage: one.lastPage,
  };
}

const titlesPerPage = 60;
const maxPage = 1000;

/** 0 if the id is not a number: nobody has that id. */
const idIn = (id: string) => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

/**
 * The answer is the same for a number that does not exist and for a person or character all of whose titles are hidden
 * from the viewer.
 */
const nobodyHere = (what: "person" | "character"): PageRefusal => ({
  text: {
    title: `No such ${what} here`,
    text: `This site knows no ${what} at this address. Search by name.`,
    step: { label: "Search", path: searchPath() },
  },
});

/** Cards in the order of their titles, in one group for each year. */
function byYear(titles: readonly CardTitle[]) {
  const years = groupBy(titles, ({ year }) => (year === null ? "Without a date" : String(year)));
  return [...years].map(([year, ofYear]) => ({ year, titles: ofYear }));
}

/** "12 titles · 45,120 favorites" */
const factsText = ({ total, favorites }: { total: number; favorites: number | null }) =>
  [countText(total, "title"), favorites === null || favorites === 0 ? null : countText(favorites, "favorite")]
    .filter((fact) => fact !== null)
    .join(" · ");
