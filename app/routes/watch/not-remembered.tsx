import { settingsPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";

/** Says below the film that it leaves no trace, so that nobody wonders later why it is missing. */
export const NotRemembered = () => (
  <p className="quiet">
    What you watch is not remembered. <Link to={`${settingsPath()}#privacy`}>Change this</Link>
  </p>
);
