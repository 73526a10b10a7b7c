import type { ComponentProps, ReactNode } from "react";
import { useLocation } from "react-router";
import {
  adminDetailsPath,
  adminEpisodePath,
  adminEventsPath,
  adminFeedsPath,
  adminFilmsPath,
  adminHiddenPath,
  adminInvitationsPath,
  adminSetupPath,
  adminTitlePath,
  adminUsersPath,
  adminWishesPath,
} from "#app/admin-paths.ts";
import type { Issue } from "#app/domain/errors.ts";
import { adminPath } from "#app/paths.ts";
import { CopyField } from "#app/ui/forms/copy-field.tsx";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { RowButton } from "./intent-button.tsx";

/** The parts that all pages for operators share: navigation, the answer to the last change, tables and fields. */

const pages = [
  [adminPath(), "Overview"],
  [adminSetupPath(), "Setup"],
  [adminTitlePath(), "Titles"],
  [adminEpisodePath(), "Episodes"],
  [adminFilmsPath(), "Media folder"],
  [adminWishesPath(), "Wishes"],
  [adminHiddenPath(), "Hidden titles"],
  [adminFeedsPath(), "Feeds"],
  [adminDetailsPath(), "Details"],
  [adminUsersPath(), "Users"],
  [adminInvitationsPath(), "Invitations"],
  [adminEventsPath(), "Events"],
] as const;

/** The answer of an action: a notice of success, or the reason for a refusal. */
export type AdminAnswer =
  /** `undo`: the ids of the decisions that a button undoes. */
  | { notice: string; link?: string; undo?: readonly string[]; intent?: string }
  | { message: string; issues?: readonly Issue[] }
  | undefined;

/** The labels of fields that have another name on the wire. */
const fieldLabels: Record<string, string> = {
  days: "Days",
  id: "Name or catalog number",
  other: "Number of the title",
  position: "Order",
  sameAs: "Its ids or addresses",
  url: "Address",
  uses: "People",
};

/** The message of a refusal may be its first issue, which begins with a field's wire name. */
function refusalText({ message, issues: [issue] = [] }: { message: string; issues?: readonly Issue[] }) {
  const label = issue && fieldLabels[issue.path];
  return label && message === `${issue.path} ${issue.message}` ? `“${label}” ${issue.message}` : message;
}

type PageProps = {
  title: string;
  lead: string;
  answer?: AdminAnswer;
  /** Follows the message of a refusal. */
  refusedField?: ReactNode;
  /** Replaces the links to the other pages for operators. */
  nav?: ReactNode;
  children: ReactNode;
};

export function AdminPage({ title, lead, answer, refusedField, nav, children }: PageProps) {
  const { pathname } = useLocation();
  return (
    <div className="wrap page admin">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
        </div>
      </header>
      {nav ?? (
        <nav className="admin-nav" aria-label="Administration">
          {pages.map(([to, name]) => (
            <Link key={to} className="chip" to={to} aria-current={pathname === to ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
      )}
      <ErrorSummary message={answer && "message" in answer ? refusalText(answer) : undefined} answer={answer}>
        {refusedField}
      </ErrorSummary>
      {answer && "notice" in answer && (
        <Notice>
          {answer.notice}
          {answer.link !== undefined && (
            // Without the key, the field would say "Copied" about the next link too.
            <CopyField key={answer.link} label="Shown only now" text={answer.link} />
          )}
          {answer.undo !== undefined && answer.undo.length > 0 && (
            <RowButton
              fields={{ id: answer.undo.join(" ") }}
              intent="undo"
              label="Undo"
              about={answer.notice}
            />
          )}
        </Notice>
      )}
      {children}
    </div>
  );
}

/** A paragraph that is only a link that looks like a button. */
export const ButtonLine = ({ to, children }: { to: string; children: string }) => (
  <p>
    <Link className="button" to={to}>
      {children}
    </Link>
  </p>
);

type TableProps = {
  label: string;
  columns: readonly string[];
  /**
   * Where the page is narrow for its text, the cells of a `StackedRow` stand below each other. A `StackedCell` that
   * needs its heading there has it as `data-heading`.
   */
  isStacked?: boolean;
  children: ReactNode;
};

export function AdminTable({ label, columns, isStacked, children }: TableProps) {
  const role = (name: string) => isStacked && { role: name };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and a region would repeat the landmark around it
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the table
    <section className="admin-scroll" role="group" aria-label={label} tabIndex={0}>
      <table className="admin-table" data-stacked={isStacked || undefined} {...role("table")}>
        <thead {...role("rowgroup")}>
          <tr {...role("row")}>
            {columns.map((column) => (
              <th key={column} scope="col" {...role("columnheader")}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role("rowgroup")}>{children}</tbody>
      </table>
    </section>
  );
}

/** Stacked tables name the roles of their parts: Safari takes a part for plain text when CSS changes its `display`. */
const rowRole = { role: "row" };
const cellRole = { role: "cell" };

export const StackedRow = (props: ComponentProps<"tr">) => <tr {...rowRole} {...props} />;

export const StackedCell = (props: ComponentProps<"td"> & { "data-heading"?: string }) => (
  <td {...cellRole} {...props} />
);

/** The cell that names the title of a row. */
export const TitleCell = ({ title, path }: { title: string; path: string }) => (
  <StackedCell className="admin-address">
    <Link className="link" to={path}>
      {title}
    </Link>
  </StackedCell>
);

type FieldProps = {
  label: string;
  name: string;
  value?: string | number | null | undefined;
  isWide?: boolean;
  isOptional?: boolean;
  type?: "text" | "number" | "password" | "search";
  max?: number | undefined;
};

/** A field with its label above it, for forms outside tables. */
export const AdminField = ({
  label,
  name,
  value,
  isWide,
  isOptional = false,
  type = "text",
  max,
}: FieldProps) => (
  <div className="field" data-wide={isWide || undefined} data-short={type === "number" || undefined}>
    <label>
      <span>
        {label}
        {isOptional && type !== "search" && <span className="quiet"> (optional)</span>}
      </span>
      <input
        className="input"
        name={name}
        type={type}
        min={type === "number" ? 1 : undefined}
        max={max}
        // `new-password` keeps the browser from filling in the operator's own password.
        autoComplete={type === "password" ? "new-password" : undefined}
        defaultValue={value ?? ""}
        required={!isOptional}
      />
    </label>
  </div>
);

/** A field in a table row, outside the form element that it belongs to. The column heading is its visible label. */
export const AdminCell = ({
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
  form: string;
  label: string;
  name: string;
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
};

/** A choice in a table row, like `AdminCell`. */
export const AdminChoice = ({ form, label, name, value, choices }: ChoiceProps) => (
  <select className="select" form={form} name={name} aria-label={label} defaultValue={value}>
    {choices.map(([choice, choiceLabel]) => (
      <option key={choice} value={choice}>
        {choiceLabel}
      </option>
    ))}
  </select>
);
