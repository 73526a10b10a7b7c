import type { FranchiseAround, FranchisePart } from "#app/domain/franchises/franchises.server.ts";
import type { TitleEntries } from "#app/domain/library/library.server.ts";
import type { ScoreFormat } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { franchisePath } from "#app/paths.ts";
import { franchisePlaceText, partLabel, summaryText } from "#app/routes/views/franchise-views.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";

/**
 * The line shows at most this many titles, as many as fit on a wide screen. The page of the franchise shows all, and
 * each card here costs time at every view.
 */
export const maxInLine = 8;

type LineOptions = {
  language: TitleLanguage;
  scoreFormat: ScoreFormat;
  listed: TitleEntries;
  /** The next part that the member has not seen. Null for a visitor, and if nothing is left. */
  next: { malId: number; name: string } | null;
};

/** The line of a title's page that says where the title stands in its franchise. */
export function toFranchiseLine(
  franchise: FranchiseAround,
  { language, scoreFormat, listed, next }: LineOptions,
) {
  const { id, name, own, mainParts, parts } = franchise;
  const labelOf = (part: FranchisePart) => {
    const label = part.summary === null ? partLabel(part) : summaryText(part.summary);
    if (part.malId === own.malId) return `${label} · this one`;
    return part.malId === next?.malId ? `${label} · next for you` : label;
  };
  const path = franchisePath(id, name);
  // A franchise with one main title has no parts to count.
  const isOnlyMain = own.mainPart !== null && mainParts === 1;
  const place = isOnlyMain ? null : franchisePlaceText(franchise, language);
  const why = [place, next && next.malId !== own.malId && `Next for you: ${next.name}`].filter(Boolean);
  return {
    /** For the facts beside the title's name. */
    place: place === null ? null : { text: place, path },
    row: {
      title: "The story",
      ...(why.length > 0 && { why: why.join(" · ") }),
      more: path,
      titles: withListStatus(
        parts.map((part) => toTitleCard(part.title, language, labelOf(part))),
        { listed },
        scoreFormat,
      ),
    },
  };
}
