import { browsePath, listImportPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { type ListQuery, listQueryPath } from "#app/wire/list-query.ts";

type Props = {
  query: ListQuery;
  /** No title is shown with any status or filter. */
  isWhole: boolean;
  isChild: boolean;
};

/** Says the same whether or not the list has titles that this viewer may not see. */
export function EmptyList({ query, isWhole, isChild }: Props) {
  const canImport = !isChild;
  return (
    <section className="message list-empty" aria-label="Empty list">
      <h2>{isWhole ? "Your list is empty" : "No titles here"}</h2>
      <p className="lead">
        {isWhole
          ? `Add titles on their pages${canImport ? ", or import a list from another site" : ""}.`
          : "No title on your list has this status and these filters."}
      </p>
      <p className="message-actions">
        {!isWhole && (
          <Link className="button" data-kind="primary" to={listQueryPath({ view: query.view })}>
            Show the whole list
          </Link>
        )}
        <Link className="button" data-kind={isWhole ? "primary" : "ghost"} to={browsePath()}>
          Browse titles
        </Link>
        {isWhole && canImport && (
          <Link className="button" data-kind="ghost" to={listImportPath()}>
            Import a list
          </Link>
        )}
      </p>
    </section>
  );
}
