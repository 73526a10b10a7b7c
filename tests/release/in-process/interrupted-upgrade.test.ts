import { testInterruptedUpgrade } from "#tests/support/scaled/interrupted-upgrade.ts";

/** Six kills from the first migrations to the last one. tests/integration has the last. */

testInterruptedUpgrade(
  "after six kills during migrations and a good start, the earlier version's backup restores it",
  [3, 9, 15, 22, 30, -1],
);
