/** The heading and text of a refused page, for refusals that the usual text of the status does not explain. */
export type RefusalText = {
  title: string;
  text: string;
  /** The first button of the page; without it, the one of the status. */
  step?: { label: string; path: string };
};

/** A guard refuses before any loader runs, so it adds the data of the root loader as `site`. */
export type PageRefusal = { text: RefusalText; site?: unknown };

export const refusalText = (data: unknown) => (data as Partial<PageRefusal> | null)?.text;
