type Props = {
  intent: string;
  label: string;
  /** The item of a row that the button acts on, for screen readers: every row has the same label. */
  about?: string;
};

/** A submit button that tells the action which change is meant. Buttons of a row are small. */
export const IntentButton = ({ intent, label, about }: Props) => (
  <button
    className="button"
    type="submit"
    name="intent"
    value={intent}
    {...(about && { "data-kind": "ghost", "data-size": "small", "aria-label": `${label}: ${about}` })}
  >
    {label}
  </button>
);
