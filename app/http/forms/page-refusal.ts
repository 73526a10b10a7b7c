/** The heading and text of a refused page, for refusals that the usual text of the status does not explain. */
export type RefusalText = { title: string; text: string };

/** `site` is the data of the root loader, since a guard refuses before any loader runs. */
export type PageRefusal = { text: RefusalText; site: unknown };

export const refusalText = (data: unknown) => (data as Partial<PageRefusal> | null)?.text;
