import { z } from "zod";
import { maxMalId } from "#app/domain/catalog/catalog.ts";

/** The number of a title in a form. */
export const malIdInput = z.coerce.number().int().min(1).max(maxMalId);
