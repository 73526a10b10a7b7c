/** The door of franchises for code that also runs in browsers. */

export { franchiseCorrectionKinds, franchiseMarks } from "#db/schema/enumerations.ts";
export type { FranchiseCorrection } from "./order/links.ts";
