import { type ComponentProps, useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";

/**
 * A form that ignores a second press until the answer is shown. The router would abort the first request, which the
 * server completes all the same: its answer, such as a session or a report, would be lost, and the second one refused.
 */
export function OnceForm(props: ComponentProps<typeof Form>) {
  const isBusy = useNavigation().formMethod === "POST";
  // Another form of the page may be the one that is being sent.
  const isSent = useRef(false);
  useEffect(() => {
    if (!isBusy) isSent.current = false;
  }, [isBusy]);
  const onSubmit: ComponentProps<typeof Form>["onSubmit"] = (event) => {
    if (isBusy && isSent.current) event.preventDefault();
    isSent.current = true;
  };
  return <Form method="post" {...props} onSubmit={onSubmit} />;
}
