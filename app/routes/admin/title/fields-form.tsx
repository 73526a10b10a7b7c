import { Form } from "react-router";
import type { FieldErrors } from "#app/ui/forms/form-errors.ts";
import { describedBy, FieldNotes } from "#app/ui/forms/form-field.tsx";
import { IntentButton } from "../intent-button.tsx";
import { printName } from "./print-name.ts";
import type { TextFieldView } from "./title-view.server.ts";
import { SourceNote } from "./unlock-button.tsx";

type Props = { fields: readonly TextFieldView[]; formErrors: FieldErrors };

export const FieldsForm = ({ fields, formErrors }: Props) => (
  <section aria-labelledby="fields">
    <h2 id="fields">Names and facts</h2>
    <Form method="post" className="admin-fields" preventScrollReset>
      {fields.map((field) => (
        // The key depends on the text. After an undo it makes a new field, since the old one would keep what it showed.
        <TextField
          key={`${field.field} ${field.print}`}
          field={field}
          typed={formErrors.typed(field.field)}
          error={formErrors.error(field.field)}
        />
      ))}
      <div>
        <IntentButton intent="save" label="Save" />
      </div>
    </Form>
  </section>
);

/** The link from the message of a refusal to the field that it is about. */
export function RefusedField({ fields, formErrors }: Props) {
  const refused = fields.find(({ field }) => formErrors.error(field) !== undefined);
  if (refused === undefined) return null;
  const id = idOf(refused.field);
  return (
    <>
      :{" "}
      <a
        className="link"
        href={`#${id}`}
        onClick={(event) => {
          // The router would take the fragment for a visit, and the answer would be gone.
          event.preventDefault();
          document.getElementById(id)?.focus();
        }}
      >
        {refused.label}
      </a>
    </>
  );
}

const idOf = (field: string) => `field-${field}`;

type FieldProps = { field: TextFieldView; typed: string | undefined; error: string | undefined };

function TextField({ field, typed, error }: FieldProps) {
  const id = idOf(field.field);
  const { label, input, text, print } = field;
  const shared = {
    id,
    name: field.field,
    defaultValue: typed ?? text,
    "aria-describedby": [describedBy(id, undefined, error), `${id}-source`].filter(Boolean).join(" "),
    "aria-invalid": error === undefined ? undefined : true,
  };
  return (
    <div className="field" data-wide={input.kind === "lines" || undefined}>
      <label htmlFor={id}>{label}</label>
      <input type="hidden" name={printName(field.field)} value={print} />
      {input.kind === "choice" && (
        <select className="select" {...shared}>
          {input.choices.map(([value, choiceLabel]) => (
            <option key={value} value={value}>
              {choiceLabel}
            </option>
          ))}
        </select>
      )}
      {input.kind === "lines" && <textarea className="input" rows={5} {...shared} />}
      {input.kind === "line" && <input className="input" {...shared} />}
      {input.kind === "number" && <input className="input" inputMode="numeric" {...shared} />}
      {input.kind === "day" && <input className="input" type="date" {...shared} />}
      <FieldNotes id={id} error={error} />
      <div id={`${id}-source`}>
        <SourceNote {...field} label={label} />
      </div>
    </div>
  );
}
