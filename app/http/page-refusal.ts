/** What a page's refusal carries beside its status, where the status alone would be read as something else. */
export const operatorsOnly = "operators only";
