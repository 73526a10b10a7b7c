import { type CreditedTitle, getPerson } from "#app/domain/people/people.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { personPath } from "#app/paths.ts";
import { bothNamesOf, toCharacterPortrait } from "#app/routes/views/people-views.server.ts";
import { toTitleCard } from "#app/routes/views/title-views.server.ts";
import type { Route } from "./+types/person";
import { Credits, creditsMeta } from "./credits.tsx";
import { loadCredits } from "./people-page.server.ts";

export const middleware: Route.MiddlewareFunction[] = [cachedPage({ page: "first" })];

export const loader = (visit: Route.LoaderArgs) =>
  loadCredits(visit, {
    what: "person",
    find: getPerson,
    pathOf: personPath,
    cardsOf: ({ credits }, language) =>
      credits.map((credit) => toTitleCard(credit.title, language, creditText(credit, language))),
    othersOf: ({ characters }, language) => ({
      heading: "Voices of",
      portraits: characters.map((character) => toCharacterPortrait(character, language, "")),
    }),
  });

/** "Spike Spiegel, Director". Voices in other languages than Japanese name the language. */
function creditText({ roles, spoken }: CreditedTitle, language: TitleLanguage): string {
  const voices = spoken.map((character) => {
    const { name } = bothNamesOf(character, language);
    return character.language === "Japanese" ? name : `${name} (${character.language})`;
  });
  return [...voices, ...roles].join(", ");
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  creditsMeta(matches, loaderData, { about: "voices and work on anime by year", type: "profile" });

export default function Person({ loaderData }: Route.ComponentProps) {
  return <Credits {...loaderData} />;
}
