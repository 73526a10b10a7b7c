import { testInterruptedUpgrade } from "#tests/support/scaled/interrupted-upgrade.ts";

/** A kill in the last migration. tests/release has five more before it. */

testInterruptedUpgrade(
  "after a kill during migrations and a good start, the earlier version's backup restores it",
  [-1],
);
