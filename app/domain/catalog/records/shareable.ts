import { type TitleSource, termsOf } from "./sources.ts";
import { type SourcedFields, sourceOf } from "./title-fields.ts";

/** What of a title may be given away, by the terms of the sources that said it. */

const textNames = ["synopsis", "background"] as const;
type Texts = { synopsis: string | null; background: string | null };

/** The texts that may not be given away, each with its source. A text that another source has too may be, if that allows it. */
export function closedTexts(
  title: Texts,
  records: readonly SourcedFields[],
): Partial<Record<keyof Texts, TitleSource>> {
  const closed: Partial<Record<keyof Texts, TitleSource>> = {};
  for (const name of textNames) {
    const text = title[name];
    if (text === null) continue;
    const isOpen = records.some(
      ({ source, fields }) => termsOf[source].mayShareTexts && fields[name] === text,
    );
    if (!isOpen) closed[name] = sourceOf(name, records) ?? "before";
  }
  return closed;
}

/** The ids without those that only closed sources name. */
export function shareableIds(ids: readonly string[], records: readonly SourcedFields[]): string[] {
  const isClosed = (id: string) => {
    const sources = records.filter(({ fields }) => fields.externalIds?.includes(id));
    return sources.length > 0 && sources.every(({ source }) => !termsOf[source].mayShareIds);
  };
  return ids.filter((id) => !isClosed(id));
}
