/** The door of franchises for code that also runs in browsers. */

export { franchiseCorrectionKinds, franchiseMarks } from "#db/schema/enumerations.ts";
export { type Stretch, stretchOf } from "./length.ts";
export { type FranchiseMark, maySkip, passedOverMarks } from "./marks.ts";
export { findNextPart } from "./next-part.ts";
export type { FranchiseCorrection } from "./order/links.ts";
