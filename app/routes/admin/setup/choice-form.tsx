import { Form } from "react-router";

type Props = {
  title: string;
  intent: string;
  name: string;
  value: string;
  /** The environment variable that overrides this setting; null if it is not set. */
  fixedBy: string | null;
  choices: readonly (readonly [value: string, label: string, hint: string])[];
};

/** One setting of the site, as radio buttons with what each choice means. */
export const ChoiceForm = ({ title, intent, name, value, fixedBy, choices }: Props) => (
  <section aria-labelledby={intent}>
    <h2 id={intent}>{title}</h2>
    <Form method="post" preventScrollReset>
      <fieldset className="admin-choices" disabled={fixedBy !== null}>
        <legend className="visually-hidden">{title}</legend>
        {choices.map(([choice, label, hint]) => (
          <label key={choice} className="check">
            <input type="radio" name={name} value={choice} defaultChecked={choice === value} required />
            <span>
              {label}
              <span className="quiet"> {hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {fixedBy === null ? (
        <button className="button" type="submit" name="intent" value={intent}>
          Save
        </button>
      ) : (
        <p className="quiet">The variable {fixedBy} decides this. Remove it to choose here.</p>
      )}
    </Form>
  </section>
);
