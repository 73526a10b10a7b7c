import type { franchiseMarks } from "#db/schema/enumerations.ts";

export type FranchiseMark = (typeof franchiseMarks)[number];

/** The marks of titles that nobody needs for the story. They come next only for members who have them on their list. */
export const passedOverMarks: readonly FranchiseMark[] = ["summary", "special"];
