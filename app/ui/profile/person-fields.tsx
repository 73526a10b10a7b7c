import type { errorsByField } from "../forms/form-faults.ts";
import { describedBy, FieldNotes } from "../forms/form-field.tsx";
import { TextField } from "../forms/text-field.tsx";

type Person = {
  name: string;
  lastName: string | null;
  birthday: string | null;
  gender: string | null;
};
type Props = {
  person: Person;
  /** Told by the server: all words of the contract would come with the browser's own copy. */
  genders: readonly string[];
  faults: ReturnType<typeof errorsByField>;
  today: string;
};

const why = "We use it only to decide whether titles for adults may be shown. Nobody else sees it.";

export function PersonFields({ person, genders, faults, today }: Props) {
  const born = faults.error("birthday");
  return (
    <>
      <TextField
        label="First name"
        name="name"
        autoComplete="given-name"
        minLength={3}
        maxLength={64}
        defaultValue={faults.typed("name") ?? person.name}
        error={faults.error("name")}
      />
      <TextField
        label="Last name"
        name="last_name"
        autoComplete="family-name"
        optional
        maxLength={64}
        defaultValue={faults.typed("last_name") ?? person.lastName ?? ""}
        error={faults.error("last_name")}
      />
      <div className="field">
        <label htmlFor="birthday">
          Birthday <span className="quiet">(optional)</span>
        </label>
        <input
          className="input"
          id="birthday"
          type="date"
          name="birthday"
          min="1900-01-01"
          max={today}
          autoComplete="bday"
          defaultValue={faults.typed("birthday") ?? person.birthday ?? ""}
          aria-invalid={born ? true : undefined}
          aria-describedby={describedBy("birthday", why, born)}
        />
        <FieldNotes id="birthday" hint={why} error={born} />
      </div>
      <div className="field">
        <label htmlFor="gender">
          Gender <span className="quiet">(optional)</span>
        </label>
        <select className="select" id="gender" name="gender" defaultValue={person.gender ?? ""}>
          <option value="">No answer</option>
          {genders.map((gender) => (
            <option key={gender}>{gender}</option>
          ))}
        </select>
      </div>
    </>
  );
}
