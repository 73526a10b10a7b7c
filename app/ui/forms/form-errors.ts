/** The action data of a refused form. */
type FormErrorData = {
  message: string;
  issues: { path: string; message: string }[];
  typed: Record<string, string>;
};

/** The error and the typed text of each field of a refused form. */
export function errorsByField(data: FormErrorData | undefined) {
  return {
    message: data && errorSummaryText(data),
    error: (field: string) => {
      const issues = data?.issues.filter(({ path }) => path === field) ?? [];
      const text = issues.map(({ message }) => message).join(", ");
      if (text === "") return undefined;
      // The summary already says that the field is wrong. The text at the field says what to do.
      if (text === "is wrong") return "Type it once more.";
      if (text === "is already in use") return "Type another one.";
      return `This ${text.replaceAll(", needs ", ", ")}.`;
    },
    typed: (field: string) => data?.typed[field],
  };
}

export type FieldErrors = ReturnType<typeof errorsByField>;

/**
 * The message of a refusal may be its first issue, which uses a field's wire name. The summary then only points to the
 * fields.
 */
const errorSummaryText = ({ message, issues }: FormErrorData) =>
  issues[0] && message === `${issues[0].path} ${issues[0].message}`
    ? "Some fields are not right yet. Each of them says what it needs."
    : message;
