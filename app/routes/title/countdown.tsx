import { useEffect, useState } from "react";
import { countdownText } from "./countdown-text.ts";

type Props = {
  /** The time as ISO 8601. */
  at: string;
  /** The text when the page was made. */
  text: string;
};

const renewalMs = 20_000;

/** Without scripts, the text stays as it was when the page was rendered. */
export function Countdown({ at, text }: Props) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    const renew = () => setShown(countdownText(Date.parse(at) - Date.now()));
    renew();
    const timer = setInterval(renew, renewalMs);
    return () => clearInterval(timer);
  }, [at]);
  return <time dateTime={at}>{shown}</time>;
}
