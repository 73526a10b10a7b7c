import type { CardStates } from "#app/domain/discovery/discovery.server.ts";
import type { FranchiseAround, FranchisePart } from "#app/domain/franchises/franchises.server.ts";
import { findNextPart } from "#app/domain/franchises/franchises.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { franchisePath } from "#app/paths.ts";
import { partLabel, summaryText } from "#app/routes/views/franchise-views.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

/** The titles that the line shows at most. The page of the franchise shows all. */
export const maxInLine = 14;

type Shown = {
  language: TitleLanguage;
  scoreFormat: ScoreFormat;
  isMember: boolean;
  listed: CardStates;
};

/** The line of a title's page that says where the title stands in its franchise. */
export function toFranchiseLine(
  { id, own, places, mainParts, parts }: FranchiseAround,
  { language, scoreFormat, isMember, listed }: Shown,
) {
  const next = isMember ? findNextPart(places, listed) : null;
  const nextPart = parts.find(({ malId }) => malId === next);
  const labelOf = (part: FranchisePart) => {
    const label = part.summary === null ? partLabel(part) : summaryText(part.summary);
    if (part.malId === own.malId) return `${label} · this one`;
    return part.malId === next ? `${label} · next for you` : label;
  };
  const placeText =
    own.mainPart === null
      ? `${own.summary === null ? partLabel(own) : `${summaryText(own.summary)}, may be skipped`}`
      : `part ${own.mainPart} of ${mainParts}`;
  return {
    place: `The story: ${placeText}`,
    next:
      nextPart && nextPart.malId !== own.malId
        ? `Next for you: ${nameIn(nextPart.title, language).name}`
        : undefined,
    path: franchisePath(id, ""),
    titles: withListStatus(
      parts.map((part) => toTitleCard(part.title, language, labelOf(part))),
      { listed },
      scoreFormat,
    ),
  };
}
