import { Form } from "react-router";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";

type Props = {
  intent: string;
  label: string;
  /** The item of a row that the button acts on, for screen readers: every row has the same label. */
  about?: string;
};

/** A submit button that tells the action which change is meant. Buttons of a row are small. */
export const IntentButton = ({ intent, label, about }: Props) => (
  <VanishingButton
    className="button"
    name="intent"
    value={intent}
    {...(about && { "data-kind": "ghost", "data-size": "small", "aria-label": `${label}: ${about}` })}
  >
    {label}
  </VanishingButton>
);

type RowProps = Required<Props> & {
  /** The hidden fields that tell which row is meant. */
  fields: Record<string, string | number>;
};

/** A form of one button, at the end of a row. */
export const RowButton = ({ fields, ...button }: RowProps) => (
  <Form method="post" preventScrollReset className="admin-buttons">
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <IntentButton {...button} />
  </Form>
);
