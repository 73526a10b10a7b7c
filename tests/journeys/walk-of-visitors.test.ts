import { walkAsVisitor } from "#tests/support/browser/walk.ts";

/** A visitor opens every page. tests/release/walks.test.ts opens every state of each. */

await walkAsVisitor({ isWhole: false });
