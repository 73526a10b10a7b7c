import { testDatabaseFaults, testNoRoom } from "#tests/support/scaled/database-faults.ts";

/** The database does not accept, does not answer, or has no connection left. tests/release has three more faults. */

testNoRoom();
testDatabaseFaults([
  "stopped",
  "silent",
  "silent while a member's write holds the member's row",
  "out of connections",
]);
