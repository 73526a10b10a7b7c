/** What a page's action says of a form that was refused. */
type FormErrorData = {
  message: string;
  issues: { path: string; message: string }[];
  typed: Record<string, string>;
};

/** Reads faults by field: the first words about each, and what had been typed. */
export function errorsByField(faults: FormErrorData | undefined) {
  return {
    message: faults && errorSummaryText(faults),
    error: (field: string) => {
      const found = faults?.issues.filter(({ path }) => path === field) ?? [];
      const words = found.map(({ message }) => message).join(", ");
      return words === "" ? undefined : `This ${words.replaceAll(", needs ", ", ")}.`;
    },
    typed: (field: string) => faults?.typed[field],
  };
}

/** A refusal in the words of its first fault names the field as programs do; the fields themselves say it better. */
const errorSummaryText = ({ message, issues }: FormErrorData) =>
  issues[0] && message === `${issues[0].path} ${issues[0].message}`
    ? "Not everything is right yet. Each field says what it needs."
    : message;
