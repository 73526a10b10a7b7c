import type { franchiseMarks } from "#db/schema/enumerations.ts";

export type FranchiseMark = (typeof franchiseMarks)[number];

/**
 * Titles with these marks are not needed for the story. They are suggested only to members who put them on their list.
 */
export const passedOverMarks: readonly FranchiseMark[] = ["summary", "special"];

export const maySkip = ({ mark }: { mark: FranchiseMark }): boolean => passedOverMarks.includes(mark);
