import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { ErrorSummary, Notice } from "../form-field.tsx";

/** What the operator's pages have in common: the way between them, what came of the last change, and plain tables. */

const pages = [
  ["/admin", "Failed plays"],
  ["/admin/episode", "Episodes"],
  ["/admin/films", "Media folder"],
  ["/admin/users", "Users"],
] as const;

/** What an action says: how it went, or why it did not go. */
export type AdminAnswer = { notice: string } | { message: string } | undefined;

type PageProps = { title: string; lead: string; answer?: AdminAnswer; children: ReactNode };

export function AdminPage({ title, lead, answer, children }: PageProps) {
  const { pathname } = useLocation();
  return (
    <div className="wrap page admin">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
        </div>
      </header>
      <nav className="admin-nav" aria-label="Administration">
        {pages.map(([to, name]) => (
          <Link key={to} className="chip" to={to} aria-current={pathname === to ? "page" : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <ErrorSummary message={answer && "message" in answer ? answer.message : undefined} answer={answer} />
      {answer && "notice" in answer && <Notice>{answer.notice}</Notice>}
      {children}
    </div>
  );
}

type TableProps = { label: string; columns: readonly string[]; children: ReactNode };

export const Table = ({ label, columns, children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
  <section className="admin-scroll" aria-label={label} tabIndex={0}>
    <table className="admin-table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

export const episodePath = (malId: number, episode: number) =>
  `/admin/episode?id=${malId}&episode=${episode}`;

type FieldProps = {
  label: string;
  name: string;
  value?: string | number | null | undefined;
  isWide?: boolean;
  isOptional?: boolean;
  type?: "text" | "number";
};

/** A field with its label above; for forms that stand by themselves. */
export const Field = ({ label, name, value, isWide, isOptional = false, type = "text" }: FieldProps) => (
  <div className="field" data-wide={isWide || undefined} data-short={type === "number" || undefined}>
    <label>
      <span>
        {label}
        {isOptional && <span className="quiet"> (optional)</span>}
      </span>
      <input
        className="input"
        name={name}
        type={type}
        min={type === "number" ? 1 : undefined}
        defaultValue={value ?? ""}
        required={!isOptional}
      />
    </label>
  </div>
);

/** A field inside a table, whose column already names it for whoever sees; it belongs to the form of its row. */
export const Cell = ({
  form,
  label,
  name,
  value,
  isShort,
}: {
  form: string;
  label: string;
  name: string;
  value: string | number | null;
  isShort?: boolean;
}) => (
  <input
    className="input"
    form={form}
    name={name}
    aria-label={label}
    defaultValue={value ?? ""}
    data-short={isShort || undefined}
  />
);

type ChoiceProps = {
  form?: string;
  label: string;
  name: string;
  value: string;
  choices: readonly string[];
};

export const Choice = ({ form, label, name, value, choices }: ChoiceProps) => (
  <select className="select" form={form} name={name} aria-label={label} defaultValue={value}>
    {choices.map((choice) => (
      <option key={choice}>{choice}</option>
    ))}
  </select>
);
