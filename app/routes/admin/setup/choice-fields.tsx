type Props = {
  title: string;
  name: string;
  /** If it is none of the choices, nothing is selected, and the form asks for a choice. */
  value: string;
  /** A sentence about the present state, if it is none of the choices. */
  now?: string | undefined;
  /** The environment variable that overrides this setting; null if it is not set. */
  fixedBy: string | null;
  choices: readonly (readonly [value: string, label: string, hint: string])[];
};

/** One setting of the site, as radio buttons with what each choice means. */
export const ChoiceFields = ({ title, name, value, now, fixedBy, choices }: Props) => (
  <section className="admin-choices">
    <h2 id={name}>{title}</h2>
    {now !== undefined && <p>{now}</p>}
    <fieldset
      className="admin-choices"
      aria-labelledby={name}
      aria-describedby={fixedBy === null ? undefined : `${name}-locked`}
      disabled={fixedBy !== null}
    >
      {fixedBy !== null && (
        <p id={`${name}-locked`}>
          Locked: the variable {fixedBy} decides this. To choose here, remove it and start the site again.
        </p>
      )}
      {choices.map(([choice, label, hint]) => (
        <label key={choice} className="check">
          <input type="radio" name={name} value={choice} required defaultChecked={choice === value} />
          <span>
            {label}
            <span className="quiet"> {hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  </section>
);
