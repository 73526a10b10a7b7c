import { z } from "zod";
import { describedAs } from "#app/http/endpoint/wire-schema.ts";

/** An email, password, code or token from a client. The domain checks it. The limit keeps hashing fast for any input. */
export const credentialInput = z.string().max(1024);

/** Without `endTokens` the access tokens end. The checkbox of the settings page sends "1", and "0" if it is not ticked. */
export const passwordChangeInput = z.object({
  current: credentialInput.optional(),
  password: credentialInput,
  endTokens: describedAs(
    z
      .union([z.boolean(), z.enum(["1", "0", "true", "false"])], "must be true or false")
      .default(true)
      .transform((value) => value === true || value === "1" || value === "true"),
    { type: "boolean", default: true },
  ),
});
