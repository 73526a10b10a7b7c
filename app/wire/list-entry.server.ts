import { z } from "zod";
import { mapEntryFields } from "#app/domain/library/library.ts";
import { dateInput } from "./input-aliases.server.ts";

/** The fields of a list entry in JSON and in forms, made from their declarations in the domain. */

export const entryAnswer = mapEntryFields({
  count: () => z.int(),
  score: () => z.number().nullable(),
  text: () => z.string(),
  tags: () => z.array(z.string()),
  day: () => z.string().nullable(),
});

export const entryInput = mapEntryFields({
  count: ({ max }) => z.int().min(0).max(max),
  score: ({ max }) => z.number().min(0).max(max).nullable(),
  text: ({ maxLength }) => z.string().max(maxLength),
  tags: ({ maxTags, maxLength }) => {
    const tag = z.string().min(1).max(maxLength);
    return z.array(tag.regex(/^[^,]*$/, "must not have a comma")).max(maxTags);
  },
  day: () => dateInput.nullable(),
});

const emptyIsNull = z.literal("").transform(() => null);

/** More than anybody types, empty ones included. A form of the largest size can contain millions. */
const maxTypedTags = 1000;

export const entryFormInput = mapEntryFields({
  count: ({ max }) => z.coerce.number().int().min(0).max(max),
  score: ({ max }) => emptyIsNull.or(z.coerce.number().min(0).max(max)),
  // Browsers send each line break in a form as CR LF, but `maxlength` of the textarea counts it as one character.
  text: ({ maxLength }) =>
    z
      .string()
      .transform((text) => text.replaceAll("\r\n", "\n"))
      .pipe(z.string().max(maxLength)),
  tags: ({ maxTags, maxLength }) =>
    z
      .string()
      .transform((text) => text.split(/[,\n]/, maxTypedTags + 1).map((tag) => tag.trim()))
      .pipe(z.array(z.string().max(maxLength)).max(maxTypedTags))
      .transform((tags) => tags.filter((tag) => tag !== ""))
      .pipe(z.array(z.string()).max(maxTags)),
  day: () => emptyIsNull.or(dateInput),
});
