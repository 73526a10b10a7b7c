/** One of the small buttons of a row: what it says, and for screen readers to whom or what it does it. */
export const IntentButton = ({ intent, words, about }: { intent: string; words: string; about: string }) => (
  <button
    className="button"
    data-kind="ghost"
    data-size="small"
    type="submit"
    name="intent"
    value={intent}
    aria-label={`${words}: ${about}`}
  >
    {words}
  </button>
);
