import { useSyncedField } from "../watch-list/synced-field.ts";

type Props = {
  label: string;
  name: string;
  chosen: string;
  choices: readonly (readonly [value: string, label: string])[];
  /** Submits the form on change. */
  isInstant?: boolean;
  /** The latest refusal of a choice. The stored one is then shown again. */
  refusal?: unknown;
};

export function ChoiceSelect({ label, name, chosen, choices, isInstant = false, refusal }: Props) {
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <select
        className="select"
        name={name}
        autoComplete="off"
        {...useSyncedField<HTMLSelectElement>(chosen, isInstant ? "send" : "keep", refusal)}
        onChange={(event) => isInstant && event.currentTarget.form?.requestSubmit()}
      >
        {choices.map(([value, choiceLabel]) => (
          <option key={value} value={value}>
            {choiceLabel}
          </option>
        ))}
      </select>
    </label>
  );
}
