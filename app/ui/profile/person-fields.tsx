import type { FieldErrors } from "../forms/form-errors.ts";
import { describedBy, FieldNotes } from "../forms/form-field.tsx";
import { TextField } from "../forms/text-field.tsx";

type Person = {
  name: string;
  lastName: string | null;
  birthday: string | null;
  /** The birthday makes the member a minor, so only an operator can change it. */
  isBirthdayLocked: boolean;
  gender: string | null;
  /** A further profile of an account has only the name field. */
  isNameOnly?: boolean;
};
type Props = {
  person: Person;
  /** Comes from the loader, because importing the enumeration would load all enumerations in the browser. */
  genders: readonly string[];
  formErrors: FieldErrors;
  today: string;
};

const lockedHint =
  "It says that you are under 18, so titles for adults are hidden. Only an operator of this site can change it.";
const openHint = "We use it only to decide whether titles for adults may be shown. Nobody else sees it.";

/** The name field. For a further profile of an account it is the only field. */
export const NameField = ({ person, formErrors }: Pick<Props, "person" | "formErrors">) => (
  <TextField
    {...(person.isNameOnly ? { autoComplete: "off" } : { autoComplete: "nickname", minLength: 3 })}
    label="Name"
    name="name"
    maxLength={64}
    defaultValue={person.name}
    formErrors={formErrors}
  />
);

/** The fields that members may leave empty. */
export function OptionalFields({ person, genders, formErrors, today }: Props) {
  const birthdayError = formErrors.error("birthday");
  const birthdayHint = person.isBirthdayLocked ? lockedHint : openHint;
  return (
    <>
      <TextField
        label="Last name"
        name="last_name"
        autoComplete="family-name"
        optional
        maxLength={64}
        defaultValue={person.lastName ?? ""}
        formErrors={formErrors}
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
          readOnly={person.isBirthdayLocked}
          autoComplete="bday"
          defaultValue={formErrors.typed("birthday") ?? person.birthday ?? ""}
          aria-invalid={birthdayError ? true : undefined}
          aria-describedby={describedBy("birthday", birthdayHint, birthdayError)}
        />
        <FieldNotes id="birthday" hint={birthdayHint} error={birthdayError} />
      </div>
      <div className="field">
        <label htmlFor="gender">
          Gender <span className="quiet">(optional)</span>
        </label>
        <select
          className="select"
          id="gender"
          name="gender"
          defaultValue={formErrors.typed("gender") ?? person.gender ?? ""}
        >
          <option value="">No answer</option>
          {genders.map((gender) => (
            <option key={gender}>{gender}</option>
          ))}
        </select>
      </div>
    </>
  );
}
