import type { errorsByField } from "#app/ui/forms/form-errors.ts";
import { describedBy, FieldNotes } from "#app/ui/forms/form-field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";

type Props = { name: string; accentColor: string; formErrors: ReturnType<typeof errorsByField> };

export function ProfileFields({ name, accentColor, formErrors }: Props) {
  const accentError = formErrors.error("accent");
  return (
    <>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={64}
        defaultValue={formErrors.typed("name") ?? name}
        error={formErrors.error("name")}
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
    </>
  );
}
