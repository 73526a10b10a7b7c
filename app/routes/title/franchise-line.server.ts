import type { CardStates } from "#app/domain/discovery/discovery.server.ts";
import type { FranchiseAround, FranchisePart } from "#app/domain/franchises/franchises.server.ts";
import { findNextPart } from "#app/domain/franchises/franchises.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { franchisePath } from "#app/paths.ts";
import { franchisePlaceText, partLabel, summaryText } from "#app/routes/views/franchise-views.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";

/**
 * The line shows at most this many titles, as many as fit on a wide screen. The page of the franchise shows all, and
 * each card here costs time at every view.
 */
export const maxInLine = 8;

type LineOptions = {
  language: TitleLanguage;
  scoreFormat: ScoreFormat;
  isMember: boolean;
  listed: CardStates;
};

/** The line of a title's page that says where the title stands in its franchise. */
export function toFranchiseLine(
  franchise: FranchiseAround,
  { language, scoreFormat, isMember, listed }: LineOptions,
) {
  const { id, name, own, places, mainParts, parts } = franchise;
  const next = isMember ? findNextPart(places, listed) : null;
  const nextPart = parts.find(({ malId }) => malId === next);
  const labelOf = (part: FranchisePart) => {
    const label = part.summary === null ? partLabel(part) : summaryText(part.summary);
    if (part.malId === own.malId) return `${label} · this one`;
    return part.malId === next ? `${label} · next for you` : label;
  };
  const place = franchisePlaceText(franchise, language);
  const path = franchisePath(id, name);
  return {
    /** For the facts beside the title's name. A franchise with one main title has no parts to count. */
    place: own.mainPart !== null && mainParts === 1 ? null : { text: place, path },
    row: {
      title: `The story: ${place}`,
      ...(nextPart &&
        nextPart.malId !== own.malId && { why: `Next for you: ${nameIn(nextPart.title, language).name}` }),
      more: path,
      titles: withListStatus(
        parts.map((part) => toTitleCard(part.title, language, labelOf(part))),
        { listed },
        scoreFormat,
      ),
    },
  };
}
