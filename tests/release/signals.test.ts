import { testSignals, testSignalsTwice } from "#tests/support/scaled/signals.ts";

/** The signals and receivers that tests/system leaves out. */

testSignals([
  ["SIGTERM", "the process group"],
  ["SIGTERM", "the process"],
  ["SIGINT", "npm"],
  ["SIGINT", "the process"],
  ["SIGHUP", "npm"],
  ["SIGHUP", "the process group"],
]);
testSignalsTwice(["SIGINT", "SIGHUP"]);
