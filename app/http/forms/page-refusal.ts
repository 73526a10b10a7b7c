/** What a page's refusal says where its status alone would be read as something else. */
type RefusalText = { title: string; text: string };

/** `site`: what the page around it shows. A guard refuses before any loader could have told. */
export type PageRefusal = { text: RefusalText; site: unknown };

export const refusalText = (data: unknown) => (data as Partial<PageRefusal> | null)?.text;
