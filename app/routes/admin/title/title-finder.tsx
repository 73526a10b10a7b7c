import { Form } from "react-router";
import { adminTitlePath } from "#app/admin-paths.ts";
import { Link } from "#app/ui/link.tsx";
import { AdminField } from "../admin-page.tsx";
import type { FoundTitle } from "../found-titles.server.ts";

type FinderProps = {
  label: string;
  name: "q" | "related" | "same";
  value: string;
  /** The title whose page shows this form. */
  malId?: number;
};

export const TitleFinder = ({ label, name, value, malId }: FinderProps) => (
  <Form method="get" className="admin-line" preventScrollReset>
    {malId !== undefined && <input type="hidden" name="id" value={malId} />}
    <AdminField label={label} name={name} value={value} />
    <button className="button" type="submit">
      Find
    </button>
  </Form>
);

export const nothingFound = <p className="lead">No title has this name or this catalog number.</p>;

export const TitleLinks = ({ titles }: { titles: readonly FoundTitle[] }) =>
  titles.length === 0 ? (
    nothingFound
  ) : (
    <ul className="admin-found">
      {titles.map(({ malId, title, note }) => (
        <li key={malId}>
          <Link className="link" to={adminTitlePath({ id: malId })}>
            {title}
          </Link>{" "}
          <span className="quiet">{note}</span>
        </li>
      ))}
    </ul>
  );
