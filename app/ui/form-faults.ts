/** What a page's action says of a form that was refused. */
type Faults = { message: string; issues: { path: string; message: string }[]; typed: Record<string, string> };

/** Reads faults by field: the first words about each, and what had been typed. */
export function faultsByField(faults: Faults | undefined) {
  return {
    message: faults?.message,
    error: (field: string) => {
      const found = faults?.issues.filter(({ path }) => path === field) ?? [];
      return found.length > 0 ? `This ${found.map(({ message }) => message).join(", ")}.` : undefined;
    },
    typed: (field: string) => faults?.typed[field],
  };
}
