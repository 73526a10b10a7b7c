import { type Fields, valueIn } from "./filter-fields.ts";
import { FilterSelect, type Options } from "./filter-select.tsx";

/** Fields of the filter form for single facts of a title. */

type Props = { fields: Fields };

/** A chosen tag is a chip above the titles, and the field is empty for the next one. */
export function TagFields({ fields, tags }: Props & { tags: readonly string[] }) {
  return (
    <fieldset>
      <legend className="field-name">Themes</legend>
      <input type="hidden" name="tag" defaultValue={valueIn(fields, "tag")} />
      <input type="hidden" name="not-tag" defaultValue={valueIn(fields, "not-tag")} />
      <div className="filters-pair">
        <SuggestedField name="add-tag" label="With" placeholder="School…" list="tags" />
        <SuggestedField name="add-not-tag" label="Without" placeholder="Gore…" list="tags" />
      </div>
      <Suggestions id="tags" names={tags} />
    </fieldset>
  );
}

export const StudioField = ({ fields, studios }: Props & { studios: readonly string[] }) => (
  <>
    <SuggestedField name="studio" label="Studio" placeholder="Any" list="studios" fields={fields} />
    <Suggestions id="studios" names={studios} />
    <input type="hidden" name="company" defaultValue={valueIn(fields, "company")} />
  </>
);

type SuggestedProps = { name: string; label: string; placeholder: string; list: string; fields?: Fields };

const SuggestedField = ({ label, fields = {}, ...input }: SuggestedProps) => (
  <label className="field">
    <span className="field-name">{label}</span>
    <input
      {...input}
      className="input"
      type="text"
      maxLength={200}
      autoComplete="off"
      defaultValue={valueIn(fields, input.name)}
    />
  </label>
);

const Suggestions = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);

export function YearFields({ fields, years: [first, last] }: Props & { years: readonly [number, number] }) {
  const options = Array.from({ length: last - first + 1 }, (_, index) => `${last - index}`).map(
    (year) => [year, year] as const,
  );
  return (
    <div className="filters-pair">
      <FilterSelect name="from" label="From year" fields={fields} options={options} />
      <FilterSelect name="to" label="To year" fields={fields} options={options} />
    </div>
  );
}

export const SourceAndLength = ({
  fields,
  sources,
  lengths,
}: Props & { sources: Options; lengths: Options }) => (
  <div className="filters-pair">
    <FilterSelect name="source" label="Based on" fields={fields} options={sources} />
    <FilterSelect name="length" label="Length" fields={fields} options={lengths} />
  </div>
);
