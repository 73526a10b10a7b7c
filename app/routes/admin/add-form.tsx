import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { Form } from "react-router";
import type { AdminAnswer } from "./admin-page.tsx";

type Props = ComponentProps<typeof Form> & { intent: string; answer: AdminAnswer };

const valuesOf = (form: HTMLFormElement) => JSON.stringify([...new FormData(form)]);

/**
 * A form that is emptied once its change is made. The focus stays in it, and the answers to other forms of the page
 * leave it as it is, as does an answer that comes when somebody already types the next row.
 */
export function AddForm({ intent, answer, ...props }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // Without scripts, the page that answers has an empty form, and text can be typed into it before the scripts load.
  const shown = useRef(answer);
  const sent = useRef<string>(undefined);
  // Before the effects of fields, which may follow a value of the answer.
  useLayoutEffect(() => {
    const isMade = answer !== shown.current && answer && "intent" in answer && answer.intent === intent;
    if (isMade && form.current && valuesOf(form.current) === sent.current) form.current.reset();
    shown.current = answer;
  }, [answer, intent]);
  return (
    <Form
      ref={form}
      method="post"
      className="admin-line"
      onSubmit={(event) => {
        sent.current = valuesOf(event.currentTarget);
      }}
      {...props}
    />
  );
}
