import { Link } from "react-router";
import type { ListStatus } from "#app/domain/library/library.ts";
import { browsePath } from "#app/paths.ts";

export function EmptyList({ type, isWhole }: { type: ListStatus | null; isWhole: boolean }) {
  return (
    <section className="message list-empty" aria-label="Nothing here">
      <h2>{isWhole ? "Nothing on your list yet" : `Nothing under ${type}`}</h2>
      <p className="lead">
        {isWhole
          ? "Put titles here from their pages, or bring a list along from elsewhere."
          : "Titles you move here will show up."}
      </p>
      <p className="message-actions">
        <Link className="button" data-kind="primary" to={browsePath()}>
          Find something
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
