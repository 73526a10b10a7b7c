import { testFollowing } from "#tests/support/scaled/following-through-faults.ts";

/** Each fault once. tests/release has each of them twice. */

testFollowing(1);
