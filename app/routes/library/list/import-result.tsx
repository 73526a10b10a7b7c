import { useFetcher } from "react-router";
import { entryFields } from "#app/domain/library/library.ts";
import { listImportPath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { takeLostFocus } from "#app/ui/forms/focus-passed-on.ts";
import { WarningIcon } from "#app/ui/icons/tool-icons.tsx";

type Named = { malId: number; title: string };
type Unmatched = { malId: number | null; title: string | null; why: string };
type Values = { type: string; state: string | null; progress: number; score: number | null };
type Changed = Named & { fields: string[]; before: Values; after: Values };
type Clamped = Named & { progress: number; episodes: number };
/** A list of which the page names only the first rows. */
export type NamedRows<Row> = { count: number; first: Row[] };
export type ListImportAnswer =
  | { kind: "refused"; message: string }
  | { kind: "undone" }
  | {
      kind: "report";
      isPreview: boolean;
      added: NamedRows<Named>;
      changed: NamedRows<Changed>;
      unchanged: number;
      unmatched: NamedRows<Unmatched>;
      clamped: NamedRows<Clamped>;
      hidden: number;
      undo: string | null;
    };

const fieldLabels: Record<string, string> = Object.fromEntries(
  Object.entries(entryFields).map(([name, { label }]) => [name, label]),
);

/** The changes that an import has made or would make, with its Undo. */
export function ImportResult({ answer }: { answer: ListImportAnswer }) {
  const fetcher = useFetcher({ key: "list-import" });
  if (answer.kind === "undone")
    return (
      <p className="form-notice" role="status" tabIndex={-1} ref={takeLostFocus}>
        The import is undone.
      </p>
    );
  if (answer.kind === "refused")
    return (
      <p className="form-notice" data-kind="error" role="alert" tabIndex={-1} ref={takeLostFocus}>
        <WarningIcon />
        {answer.message}
      </p>
    );
  const { isPreview, added, changed, unchanged, unmatched, clamped, hidden, undo } = answer;
  return (
    <div className="form-notice">
      <div className="stack">
        {/* Only the summary: a screen reader reads all of a status aloud. */}
        <p role="status">
          {isPreview ? "This would add" : "Added"} {countText(added.count, "title")},{" "}
          {isPreview ? "change" : "changed"} {changed.count} and {isPreview ? "leave" : "left"} {unchanged} as{" "}
          {unchanged === 1 ? "it is" : "they are"}.
        </p>
        {hidden > 0 && (
          <p>
            {isPreview ? "It would also add or change" : "It also added or changed"}{" "}
            {countText(hidden, "title")} that you may not see.
          </p>
        )}
        <NamedList name="New" count={added.count} titles={added.first} />
        <NamedList name="Changed" count={changed.count} titles={changed.first.map(changedName)} />
        <NamedList name="Not matched" count={unmatched.count} titles={unmatched.first.map(unmatchedName)} />
        <NamedList
          name="Fewer episodes than in the file"
          count={clamped.count}
          titles={clamped.first.map(clampedName)}
        />
        {undo !== null && (
          <fetcher.Form method="post" action={listImportPath({ undo })}>
            <button className="button" data-size="small" type="submit">
              Undo the import
            </button>
          </fetcher.Form>
        )}
      </div>
    </div>
  );
}

/** A title without an id gets a negative number, for its key. */
const unmatchedName = ({ malId, title, why }: Unmatched, index: number): Named => ({
  malId: malId ?? -index,
  title: `${title ?? (malId === null ? "A title" : `Title ${malId}`)} ${why}`,
});

/** Names what changed, with both values if they are short. */
function changedName({ malId, title, fields, before, after }: Changed): Named {
  const texts: Record<string, string> = {
    type: `${before.type} → ${after.type}`,
    progress: `episode ${before.progress} → ${after.progress}`,
    score: `score ${before.score ?? "none"} → ${after.score ?? "none"}`,
    state: "the status",
    ticks: "the watched episodes",
  };
  const labels = fields.map((field) => texts[field] ?? fieldLabels[field] ?? field);
  return { malId, title: `${title}: ${labels.join(", ")}` };
}

const clampedName = ({ malId, title, progress, episodes }: Clamped): Named => ({
  malId,
  title: `${title}: ${progress} episodes seen in the file became ${episodes}`,
});

type NamedListProps = { name: string; count: number; titles: readonly Named[] };

function NamedList({ name, count, titles }: NamedListProps) {
  if (count === 0) return null;
  return (
    <details>
      <summary>
        {name}: {count}
      </summary>
      <ul>
        {titles.map(({ malId, title }) => (
          <li key={malId}>{title}</li>
        ))}
        {count > titles.length && <li>and {count - titles.length} more</li>}
      </ul>
    </details>
  );
}
