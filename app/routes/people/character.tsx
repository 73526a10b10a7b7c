import { redirect } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import { findCardStates } from "#app/domain/discovery/discovery.server.ts";
import { getCharacter } from "#app/domain/people/people.server.ts";
import { kept } from "#app/http/pipeline/kept-pages.server.ts";
import { characterPath, slugOf, storedImagePath } from "#app/paths.ts";
import { bothNamesOf, characterRoleLabels, toPersonPortrait } from "#app/routes/views/people-views.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/character";
import { Credits } from "./credits.tsx";
import { byYear, factsText, idIn, nobodyHere, pageNumberIn, titlesPerPage } from "./people-page.server.ts";

export const middleware: Route.MiddlewareFunction[] = [kept({ page: "first" })];

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { user, preferences, viewer } = await getVisit(request, context);
  const found = await getCharacter(
    idIn(params.id),
    { page: pageNumberIn(url), perPage: titlesPerPage },
    viewer,
  );
  if (!found.ok) throw nobodyHere("character");
  const character = found.value;
  const path = characterPath(character.id, character.name);
  // Only the id counts, as in the addresses of titles.
  if ((params.slug ?? "") !== slugOf(character.name)) throw redirect(path + url.search, 301);
  const language = preferences.titleLanguage;
  const cards = character.appearances.map(({ title, role }) =>
    toTitleCard(title, language, characterRoleLabels[role]),
  );
  const states = await findCardStates(
    user,
    cards.map(({ malId }) => malId),
    viewer,
  );
  return {
    head: {
      ...bothNamesOf(character, language),
      picture: character.pictureCid && storedImagePath(character.pictureCid),
      facts: factsText(character),
    },
    path,
    others: {
      heading: "Voices",
      portraits: character.voices.map((voice) => toPersonPortrait(voice, language, voice.language)),
    },
    years: byYear(withListStatus(cards, states, preferences.scoreFormat)),
    page: character.page,
    lastPage: character.lastPage,
  };
}

export const meta: Route.MetaFunction = ({ loaderData: page, matches }) =>
  page === undefined
    ? []
    : htmlMeta(matches, {
        title: page.head.name,
        description: `${page.head.name}: titles by year, and voices. ${page.head.facts}.`,
        path: page.path,
        ...(page.head.picture !== null && { image: page.head.picture }),
      });

export default function Character({
  loaderData: { head, others, years, page, lastPage },
}: Route.ComponentProps) {
  return <Credits head={head} others={others} years={years} page={page} lastPage={lastPage} />;
}
