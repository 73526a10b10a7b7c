import { ErrorSummary } from "#app/ui/forms/form-field.tsx";

/** The error of a settings action, shown beside its form. The rest of the page stays as it is. */
export const FormRefusal = ({ actionData }: { actionData?: { message: string } | undefined }) => (
  <ErrorSummary message={actionData?.message} answer={actionData} />
);
