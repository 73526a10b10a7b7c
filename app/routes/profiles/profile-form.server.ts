import { z } from "zod";
import { ceilings } from "#app/domain/accounts/accounts.ts";
import { normalizeHex } from "#app/ui/accent.ts";

/** The name and the color of a profile and what it may watch, as the owner types them. */
export const profileFields = {
  name: z.string().trim().max(200),
  accent: z.string().transform((text) => normalizeHex(text) ?? text),
  /** Empty for a grown-up. */
  ceiling: z
    .enum(["", ...ceilings])
    .transform((choice) => choice || null)
    .default(null),
  /** For the owner's own profile, with the first child. */
  pin: z.string().trim().max(100).default(""),
};
