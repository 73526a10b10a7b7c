import { expect, test } from "vitest";
import { explainDatabaseError } from "#db/database-errors.server.ts";

const explain = (code: string) => String(explainDatabaseError(Object.assign(new Error(), { code })));

test.each(["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "3D000", "28P01"])(
  "%s, which a wrong DATABASE_URL causes, names the variable",
  (code) => expect(explain(code)).toContain("DATABASE_URL"),
);
