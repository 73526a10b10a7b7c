import type { ComponentProps } from "react";
import { Form, useNavigation } from "react-router";

/**
 * A form that ignores a second press until the answer is shown. The router would abort the first request, which the
 * server completes all the same: its answer, such as a session or a report, would be lost, and the second one refused.
 */
export function OnceForm(props: ComponentProps<typeof Form>) {
  const isBusy = useNavigation().formMethod === "POST";
  return <Form method="post" {...props} onSubmit={(event) => isBusy && event.preventDefault()} />;
}
