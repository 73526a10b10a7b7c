/** What a page's refusal says where its status alone would be read as something else. */
export type RefusalWords = { title: string; text: string };

/** `site`: what the page around it shows. A guard refuses before any loader could have told. */
export type PageRefusal = { words: RefusalWords; site: unknown };

export const refusalWords = (data: unknown) => (data as Partial<PageRefusal> | null)?.words;
