/** What a page's refusal carries beside its status, where the status alone would be read as something else. */
export const operatorsOnly = "operators only";

/** `site`: what the page around it shows. A guard refuses before any loader could have told. */
export type PageRefusal = { refusal: typeof operatorsOnly; site: unknown };

export const isForOperators = (data: unknown) =>
  (data as Partial<PageRefusal> | null)?.refusal === operatorsOnly;
