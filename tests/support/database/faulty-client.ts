import { expect } from "vitest";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";

/** The application's database client, and a network between it and the database that can fail. */

export const direct = process.env.DATABASE_URL!;
export const network = await startFaultyNetwork(direct);
process.env.DATABASE_URL = network.url;
export const { connectAlone, db, withTransaction } = await import("#db/client.server.ts");
export const { seeds } = await import("#db/schema/catalog-state.ts");
const errors = await import("#db/database-errors.server.ts");
export const { violatedConstraint } = errors;

export const isDatabaseDown = (error: unknown): boolean =>
  error instanceof Error && (error instanceof errors.DatabaseUnavailable || isDatabaseDown(error.cause));
export const isDatabaseUp = () =>
  db.execute("select 1").then(
    () => true,
    () => false,
  );
export const seed = (name: string) => ({ name, digest: "d" });
export const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("the work should have failed"),
    (error: unknown) => error,
  );
