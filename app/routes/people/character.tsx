import { getCharacter } from "#app/domain/people/people.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { characterPath } from "#app/paths.ts";
import { characterRoleLabels, toPersonPortrait } from "#app/routes/views/people-views.server.ts";
import { toTitleCard } from "#app/routes/views/title-views.server.ts";
import type { Route } from "./+types/character";
import { Credits, creditsMeta } from "./credits.tsx";
import { loadCredits } from "./people-page.server.ts";

export const middleware: Route.MiddlewareFunction[] = [cachedPage({ page: "first" })];

export const loader = (visit: Route.LoaderArgs) =>
  loadCredits(visit, {
    what: "character",
    find: getCharacter,
    pathOf: characterPath,
    cardsOf: ({ appearances }, language) =>
      appearances.map(({ title, role }) => toTitleCard(title, language, characterRoleLabels[role])),
    othersOf: ({ voices }, language) => ({
      heading: "Voices",
      portraits: voices.map((voice) => toPersonPortrait(voice, language, voice.language)),
    }),
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  creditsMeta(matches, loaderData, { about: "titles by year, and voices" });

export default function Character({ loaderData }: Route.ComponentProps) {
  return <Credits {...loaderData} />;
}
