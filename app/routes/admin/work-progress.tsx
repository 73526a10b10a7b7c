import { useLayoutEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { seconds } from "#app/platform/units.ts";
import { Link } from "#app/ui/link.tsx";

type Props = { label: string; to: string };

const lookEveryMs = seconds(2);

/** Reloads the page's data repeatedly while the work runs. Without scripts, a link reloads the page once. */
export function WorkProgress({ label, to }: Props) {
  const { revalidate, state } = useRevalidator();
  // Reloading ends a load that is under way, and would never let a slow one finish. A layout effect ends the timer
  // before the page shows the load.
  const isLoading = useNavigation().state !== "idle" || state !== "idle";
  useLayoutEffect(() => {
    if (isLoading) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [revalidate, isLoading]);
  return (
    <p className="lead">
      <progress aria-label={label} />{" "}
      <Link className="link no-script-only" to={to} preventScrollReset>
        Look again
      </Link>
    </p>
  );
}
