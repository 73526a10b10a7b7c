import { describe } from "vitest";
import { walkAsOperator, walkAsVisitor } from "#tests/support/browser/walk.ts";

/** Every state of every page, in all windows and sizes of text. tests/journeys opens each page once. */

describe("a visitor", () => walkAsVisitor({ isWhole: true }));
describe("an operator", () => walkAsOperator({ isWhole: true }));
