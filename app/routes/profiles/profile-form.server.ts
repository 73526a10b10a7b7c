import { z } from "zod";
import { normalizeHex } from "#app/ui/accent.ts";

/** The name and the color of a profile, as the owner types them. */
export const profileFields = {
  name: z.string().trim().max(200),
  accent: z.string().transform((text) => normalizeHex(text) ?? text),
};
