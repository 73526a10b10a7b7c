import { type SQL, sql } from "drizzle-orm";

/** Arrays as one parameter each, so that a statement has the same text for any number of values. */

export const intArray = (numbers: Iterable<number>): SQL => sql`${`{${[...numbers].join(",")}}`}::int[]`;
export const uuidArray = (ids: Iterable<string>): SQL => sql`${`{${[...ids].join(",")}}`}::uuid[]`;
export const textArray = (texts: Iterable<string>): SQL => sql`${sql.param([...texts])}::text[]`;
