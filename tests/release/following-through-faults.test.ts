import { testFollowing } from "#tests/support/scaled/following-through-faults.ts";

/** Each fault twice. tests/system has each of them once. */

testFollowing(2);
