import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { Link } from "#app/ui/link.tsx";

type Props = { label: string; to: string; lookEveryMs: number };

/** Loads the page's data again and again while work goes on. Without scripts, the link does it once. */
export function WorkProgress({ label, to, lookEveryMs }: Props) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [revalidate, lookEveryMs]);
  return (
    <p className="lead">
      <progress aria-label={label} />{" "}
      <Link className="link" to={to} preventScrollReset>
        See how far it is
      </Link>
    </p>
  );
}
