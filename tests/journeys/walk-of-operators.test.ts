import { walkAsOperator } from "#tests/support/browser/walk.ts";

/** An operator opens every page of members and operators. tests/release/walks.test.ts opens every state of each. */

await walkAsOperator({ isWhole: false });
