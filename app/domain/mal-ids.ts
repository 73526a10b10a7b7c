/** The numbers of the titles that the rows are about, in their order. */
export const malIdsOf = (rows: readonly { malId: number }[]): number[] => rows.map(({ malId }) => malId);
