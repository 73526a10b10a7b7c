import { z } from "zod";
import {
  maxEmailLength,
  passwordLength,
  passwordPattern,
  usernameLength,
} from "#app/domain/accounts/accounts.ts";
import { describedAs } from "#app/http/endpoint/wire-schema.ts";

/** An email, password, code or token from a client. The domain checks it. The limit keeps hashing fast for any input. */
export const credentialInput = z.string().max(1024);

/**
 * The OpenAPI document states the rules of a new account. The domain checks them, so that one answer names every broken
 * rule in words that a form can show.
 */
export const newUsernameInput = describedAs(credentialInput, {
  type: "string",
  minLength: usernameLength.min,
  maxLength: usernameLength.max,
});

export const newEmailInput = describedAs(credentialInput, {
  type: "string",
  format: "email",
  maxLength: maxEmailLength,
});

export const newPasswordInput = describedAs(credentialInput, {
  type: "string",
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  pattern: passwordPattern,
});

/**
 * If `endTokens` is missing, the access tokens end. The checkbox of the settings page sends "1", and "0" if it is not
 * ticked.
 */
export const passwordChangeInput = z.object({
  current: credentialInput.optional(),
  password: newPasswordInput,
  endTokens: describedAs(
    z
      .union([z.boolean(), z.enum(["1", "0", "true", "false"])], "must be true or false")
      .default(true)
      .transform((value) => value === true || value === "1" || value === "true"),
    { type: "boolean", default: true },
  ),
});
