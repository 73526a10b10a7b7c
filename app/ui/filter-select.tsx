type Props = {
  name: string;
  label: string;
  chosen: string | number | null | undefined;
  options: readonly (readonly [value: string | number, words: string])[];
};

export function FilterSelect({ name, label, chosen, options }: Props) {
  const hasChosen = chosen === null || chosen === undefined || options.some(([value]) => value === chosen);
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <select className="select" name={name} defaultValue={chosen ?? ""}>
        <option value="">Any</option>
        {!hasChosen && <option value={chosen}>{chosen}</option>}
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
