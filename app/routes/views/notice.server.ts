/** The notice that a redirect names in the page's address, or null. */
export const noticeIn = <Notice>(
  { searchParams }: URL,
  notices: Readonly<Record<string, Notice>>,
): Notice | null => new Map(Object.entries(notices)).get(searchParams.get("notice") ?? "") ?? null;
