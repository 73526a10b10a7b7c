import type { ReactNode } from "react";
import { usernameLength } from "#app/domain/accounts/accounts.ts";
import type { FieldErrors } from "./form-errors.ts";
import { PasswordField } from "./password-field.tsx";
import { TextField } from "./text-field.tsx";

type Props = {
  formErrors: FieldErrors;
  emailHint?: string;
  /** Replaces the text of the form's error. */
  emailError?: ReactNode;
};

/** The fields of every new account: a name, an email address and a password. */
export const NewAccountFields = ({ formErrors, emailHint, emailError }: Props) => (
  <>
    <TextField
      label="Name"
      name="username"
      autoComplete="nickname"
      hint={`At least ${usernameLength.min} characters. Others may see it.`}
      minLength={usernameLength.min}
      maxLength={usernameLength.max}
      formErrors={formErrors}
    />
    <TextField
      label="E-mail address"
      name="email"
      type="email"
      autoComplete="email"
      {...(emailHint !== undefined && { hint: emailHint })}
      formErrors={formErrors}
      error={emailError}
    />
    <PasswordField autoComplete="new-password" error={formErrors.error("password")} showRules />
  </>
);
