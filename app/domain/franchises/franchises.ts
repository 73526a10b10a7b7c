import type { franchiseMarks } from "#db/schema/enumerations.ts";

/** The door of franchises for code that also runs in browsers. */

export { franchiseCorrectionKinds, franchiseMarks } from "#db/schema/enumerations.ts";
export { lengthOf, type Stretch } from "./length.ts";
export type { FranchiseCorrection } from "./order/links.ts";

type FranchiseMark = (typeof franchiseMarks)[number];

/** The marks of titles that nobody needs for the story. They come next only for members who have them on their list. */
export const passedOverMarks: readonly FranchiseMark[] = ["summary", "special"];
