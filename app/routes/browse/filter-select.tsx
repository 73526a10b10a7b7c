import { type Fields, valueIn } from "./filter-fields.ts";

export type Options = readonly (readonly [value: string, label: string])[];

type Props = { name: string; label: string; fields: Fields; options: Options };

export function FilterSelect({ name, label, fields, options }: Props) {
  const chosen = valueIn(fields, name);
  const isOffered = chosen === "" || options.some(([value]) => value === chosen);
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <select className="select" name={name} defaultValue={chosen}>
        <option value="">Any</option>
        {!isOffered && <option value={chosen}>{chosen}</option>}
        {options.map(([value, optionLabel]) => (
          <option key={value} value={value}>
            {optionLabel}
          </option>
        ))}
      </select>
    </label>
  );
}
