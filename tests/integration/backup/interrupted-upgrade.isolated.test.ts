import { testInterruptedUpgrade } from "#tests/support/scaled/interrupted-upgrade.ts";

/** Kills in an early migration and in the last one. tests/release has four more between them. */

testInterruptedUpgrade(
  "after two kills during migrations and a good start, the earlier version's backup restores it",
  [9, -1],
);
