import { testDatabaseFaults } from "#tests/support/scaled/database-faults.ts";

/** The faults of the database that tests/cluster leaves out. */

testDatabaseFaults([
  "killed behind a proxy that still accepts connections",
  "silent in its answers alone",
  "resetting",
]);
