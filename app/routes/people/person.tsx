import { redirect } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import { findCardStates } from "#app/domain/discovery/discovery.server.ts";
import { type CreditedTitle, getPerson } from "#app/domain/people/people.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { kept } from "#app/http/pipeline/kept-pages.server.ts";
import { personPath, slugOf, storedImagePath } from "#app/paths.ts";
import { bothNamesOf, toCharacterPortrait } from "#app/routes/views/people-views.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/person";
import { Credits } from "./credits.tsx";
import { byYear, factsText, idIn, nobodyHere, pageNumberIn, titlesPerPage } from "./people-page.server.ts";

export const middleware: Route.MiddlewareFunction[] = [kept({ page: "first" })];

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { user, preferences, viewer } = await getVisit(request, context);
  const found = await getPerson(idIn(params.id), { page: pageNumberIn(url), perPage: titlesPerPage }, viewer);
  if (!found.ok) throw nobodyHere("person");
  const person = found.value;
  const path = personPath(person.id, person.name);
  // Only the id counts, as in the addresses of titles.
  if ((params.slug ?? "") !== slugOf(person.name)) throw redirect(path + url.search, 301);
  const language = preferences.titleLanguage;
  const cards = person.credits.map((credit) =>
    toTitleCard(credit.title, language, creditText(credit, language)),
  );
  const states = await findCardStates(
    user,
    cards.map(({ malId }) => malId),
    viewer,
  );
  return {
    head: {
      ...bothNamesOf(person, language),
      picture: person.pictureCid && storedImagePath(person.pictureCid),
      facts: factsText(person),
    },
    path,
    others: {
      heading: "Voices of",
      portraits: person.characters.map((character) => toCharacterPortrait(character, language, "")),
    },
    years: byYear(withListStatus(cards, states, preferences.scoreFormat)),
    page: person.page,
    lastPage: person.lastPage,
  };
}

/** "Spike Spiegel, Director". Voices in other languages than Japanese name the language. */
function creditText({ roles, spoken }: CreditedTitle, language: TitleLanguage): string {
  const voices = spoken.map((character) => {
    const { name } = bothNamesOf(character, language);
    return character.language === "Japanese" ? name : `${name} (${character.language})`;
  });
  return [...voices, ...roles].join(", ");
}

export const meta: Route.MetaFunction = ({ loaderData: page, matches }) =>
  page === undefined
    ? []
    : htmlMeta(matches, {
        title: page.head.name,
        description: `${page.head.name}: voices and work on anime by year. ${page.head.facts}.`,
        path: page.path,
        type: "profile",
        ...(page.head.picture !== null && { image: page.head.picture }),
      });

export default function Person({
  loaderData: { head, others, years, page, lastPage },
}: Route.ComponentProps) {
  return <Credits head={head} others={others} years={years} page={page} lastPage={lastPage} />;
}
