import { Form, useLocation } from "react-router";
import type { TitleVerdict } from "#app/domain/accounts/accounts.ts";
import { householdTitlesPath } from "#app/paths.ts";
import { CheckIcon } from "../icons/icons.tsx";
import { useSiteData } from "../shell/site.ts";

export type Verdict = TitleVerdict | null;

const choices = [
  ["allowed", "Allow"],
  ["blocked", "Block"],
  ["none", "Neither allow nor block"],
] as const;

/** The owner of a household with a child allows or blocks a title and returns to this page. */
export function ChildrenChoice({ malId, verdict, path }: { malId: number; verdict: Verdict; path: string }) {
  return (
    <Form method="post" action={householdTitlesPath()} className="stack" preventScrollReset>
      <input type="hidden" name="id" value={malId} />
      <input type="hidden" name="redirectTo" value={path} />
      <label className="check">
        <input type="checkbox" name="franchise" value="1" />
        Also its sequels, side stories and other versions
      </label>
      <p className="message-actions">
        {/* The present choice has a button too: a pressed button that vanished would lose the focus. */}
        {choices.map(([value, label]) => {
          const isChosen = value === (verdict ?? "none");
          return (
            <button
              className="button"
              data-size="small"
              type="submit"
              name="verdict"
              value={value}
              aria-pressed={isChosen}
              key={value}
            >
              {isChosen && <CheckIcon />}
              {label}
            </button>
          );
        })}
      </p>
    </Form>
  );
}

/** The same choice in the sheet of a card, shown to the owner only. */
export function SheetChildren({ malId }: { malId: number }) {
  const { forChildren } = useSiteData();
  const { pathname, search } = useLocation();
  if (forChildren === null) return null;
  const verdict = forChildren[malId] ?? null;
  return (
    <details className="card-sheet-children">
      <summary className="button" data-kind="ghost" data-size="small">
        For your children{verdict !== null && `: ${verdict}`}
      </summary>
      <ChildrenChoice malId={malId} verdict={verdict} path={pathname + search} />
    </details>
  );
}
