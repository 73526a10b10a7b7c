import { z } from "zod";
import { maxMalId } from "#app/domain/catalog/catalog.ts";

/** The number of a title in a form. */
export const malIdInput = z.coerce.number("needs a title").int().positive().max(maxMalId);
