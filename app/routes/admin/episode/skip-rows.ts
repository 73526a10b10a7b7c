import { type SkipKind, type SkipSegment, skipKinds } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";

/** The rows of the form for segments to skip. Empty rows are ignored, so emptying a row deletes its segment. */

export const skipField = (part: "kind" | "start" | "end", row: number) => `${part}:${row}`;

export function readSkipForm(form: Readonly<Record<string, unknown>>): Outcome<SkipSegment[]> {
  const skips: SkipSegment[] = [];
  for (let row = 0; skipField("kind", row) in form; row++) {
    const [kind, start, end] = (["kind", "start", "end"] as const).map((part) =>
      String(form[skipField(part, row)] ?? "").trim(),
    ) as [string, string, string];
    if (start === "" && end === "") continue;
    const span = [secondsOf(start), secondsOf(end)] as const;
    if (!isKind(kind) || Number.isNaN(span[0]) || Number.isNaN(span[1]))
      return refuse("invalid", "A segment needs its start and its end, in seconds or as 1:30");
    skips.push({ kind, start: span[0], end: span[1] });
  }
  return done(skips);
}

const isKind = (value: string): value is SkipKind => skipKinds.some((kind) => kind === value);

/** `90`, `90.5`, `1:30` or `1:01:30`. */
function secondsOf(text: string): number {
  if (!/^(\d+:){0,2}\d+(\.\d+)?$/.test(text)) return Number.NaN;
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
