import { browsePath, listImportPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { type ListQuery, listQueryPath } from "#app/wire/list-query.ts";

type Props = {
  query: ListQuery;
  /** No title is shown with any status or filter. */
  isWhole: boolean;
  /** The list has titles that this viewer may not see. */
  hasHidden: boolean;
  isChild: boolean;
};

export function EmptyList({ query, isWhole, hasHidden, isChild }: Props) {
  const canImport = !isChild;
  return (
    <section className="message list-empty" aria-label="Empty list">
      <h2>{isWhole && !hasHidden ? "Your list is empty" : "No titles here"}</h2>
      <p className="lead">
        {hasHidden
          ? isChild
            ? "The titles on your list are not shown in this profile."
            : "Your list has titles, but parental control or an operator of this site hides them."
          : isWhole
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
