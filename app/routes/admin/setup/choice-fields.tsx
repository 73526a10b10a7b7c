type Props = {
  title: string;
  name: string;
  value: string;
  /** The environment variable that overrides this setting; null if it is not set. */
  fixedBy: string | null;
  choices: readonly (readonly [value: string, label: string, hint: string])[];
};

/** One setting of the site, as radio buttons with what each choice means. */
export const ChoiceFields = ({ title, name, value, fixedBy, choices }: Props) => (
  <section aria-labelledby={name} className="admin-choices">
    <h2 id={name}>{title}</h2>
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
    {fixedBy !== null && (
      <p className="quiet">The variable {fixedBy} decides this. Remove it to choose here.</p>
    )}
  </section>
);
