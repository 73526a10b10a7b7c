import type { Ceiling } from "#app/domain/accounts/accounts.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import type { FieldErrors } from "#app/ui/forms/form-errors.ts";
import { describedBy, FieldNotes } from "#app/ui/forms/form-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { PinField } from "./pin-field.tsx";

type Props = {
  name: string;
  accentColor: string;
  ceiling: Ceiling | null;
  /** The owner has no PIN yet, and needs one with the first child. */
  asksForPin: boolean;
  formErrors: FieldErrors;
};

const ceilingChoices = [
  ["", "A grown-up: everything"],
  ["chosen", "A child: only titles that I allow"],
  ["g", "A child: up to G, for all ages"],
  ["pg", "A child: up to PG, for children"],
  ["pg-13", "A child: up to PG-13, from 13 years"],
  ["r", "A child: up to R-17+, from 17 years"],
] as const satisfies readonly (readonly [Ceiling | "", string])[];

/** "A child: up to PG, for children". Null is a grown-up's. */
export const ceilingText = (ceiling: Ceiling | null): string =>
  ceilingChoices.find(([value]) => value === (ceiling ?? ""))?.[1] ?? "";

export function ProfileFields({ name, accentColor, ceiling, asksForPin, formErrors }: Props) {
  const accentError = formErrors.error("accent");
  return (
    <>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={64}
        defaultValue={name}
        formErrors={formErrors}
      />
      <div className="field">
        <label htmlFor="profile-accent">Color</label>
        <input
          className="profiles-color"
          id="profile-accent"
          type="color"
          name="accent"
          defaultValue={formErrors.typed("accent") ?? accentColor}
          aria-invalid={accentError ? true : undefined}
          aria-describedby={describedBy("profile-accent", undefined, accentError)}
        />
        <FieldNotes id="profile-accent" error={accentError} />
      </div>
      <ChoiceSelect
        label="Who watches, and what"
        name="ceiling"
        chosen={formErrors.typed("ceiling") ?? ceiling ?? ""}
        choices={ceilingChoices}
      />
      <p className="quiet">
        Titles without a rating count as R-17+. Ecchi counts as R-17+ at least, and Horror as PG-13. You can
        allow or block each title on its page. The profile of a child cannot change the account.
      </p>
      {asksForPin && (
        <PinField
          label="For a child: your own PIN"
          hint="4 to 8 digits that the child does not know. They are needed to switch from a child's profile to yours."
          error={formErrors.error("pin")}
          optional
        />
      )}
    </>
  );
}
