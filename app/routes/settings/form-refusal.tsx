import { ErrorSummary } from "#app/ui/forms/form-field.tsx";

/** What a settings action shows, beside its form, when it refuses: the page around it stays as it is. */
export const FormRefusal = ({ actionData }: { actionData?: { message: string } | undefined }) => (
  <ErrorSummary message={actionData?.message} answer={actionData} />
);
