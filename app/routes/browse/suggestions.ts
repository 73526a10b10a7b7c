import { limited } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { suggestTitles } from "#app/domain/catalog/catalog.server.ts";
import type { TitleSuggestion } from "#app/domain/catalog/catalog.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { cacheHeaders, privateNoStore } from "#app/http/cache-policy.server.ts";
import { titlePath } from "#app/paths.ts";
import { drawnLanguageOf } from "#app/routes/views/title-views.server.ts";
import type { Suggested, SuggestedTitle } from "#app/ui/shell/suggestions.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import { parseSearchQuery } from "#app/wire/browse-query.server.ts";
import type { Route } from "./+types/suggestions";
import { suggestNames } from "./name-groups.server.ts";

/** The suggestions of the search field. Like those of the endpoint, but in the visitor's title language. */
export const middleware: Route.MiddlewareFunction[] = [limited("typing")];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { preferences, viewer } = await getVisit(request, context);
  const { q } = parseSearchQuery(url.searchParams);
  const [{ suggestions, isGuess }, names] = await Promise.all([
    suggestTitles(q, viewer),
    suggestNames(q, viewer, preferences.titleLanguage),
  ]);
  const suggested: Suggested = {
    titles: suggestions.map((suggestion) => toSuggestedTitle(suggestion, preferences.titleLanguage)),
    names,
    areNamesFirst: isGuess,
  };
  return Response.json(suggested, { headers: cacheHeaders(privateNoStore) });
}

function toSuggestedTitle({ title, matched }: TitleSuggestion, language: TitleLanguage): SuggestedTitle {
  const shown = nameIn(title, language);
  const note = [matched !== shown.name && matched, title.type, title.year].filter(Boolean).join(" · ");
  return {
    ...shown,
    ...drawnLanguageOf(title, language),
    malId: title.malId,
    note,
    to: titlePath(title.malId, title.title),
  };
}
