import { Link } from "react-router";
import type { ListStatus } from "#app/domain/library/library.ts";
import { browsePath } from "#app/paths.ts";

export function EmptyList({ type, isWhole }: { type: ListStatus | null; isWhole: boolean }) {
  return (
    <section className="message list-empty" aria-label="Empty list">
      <h2>{isWhole ? "Your list is empty" : `No titles in ${type}`}</h2>
      <p className="lead">
        {isWhole
          ? "Add titles on their pages, or import a list from another site."
          : "Titles appear here when you set this status."}
      </p>
      <p className="message-actions">
        <Link className="button" data-kind="primary" to={browsePath()}>
          Browse titles
        </Link>
        {isWhole && (
          <a className="button" data-kind="ghost" href="#transfer">
            Import a list
          </a>
        )}
      </p>
    </section>
  );
}
