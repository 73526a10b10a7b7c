import { Form } from "react-router";
import { AdminField } from "../admin-page.tsx";

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
