type Props = {
  label: string;
  name: string;
  chosen: string;
  /** Told by the server: what is sent, and what it is called. */
  choices: readonly (readonly [value: string, words: string])[];
  /** A choice is sent at once, where there is nothing else to fill in. */
  isInstant?: boolean;
};

export function ChoiceSelect({ label, name, chosen, choices, isInstant = false }: Props) {
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <select
        className="select"
        name={name}
        key={chosen}
        defaultValue={chosen}
        onChange={(event) => isInstant && event.currentTarget.form?.requestSubmit()}
      >
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
