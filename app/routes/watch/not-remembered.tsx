import { settingsPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";

/** Says below the film that watching it is not recorded, so that its absence from the history is no surprise later. */
export const NotRemembered = () => (
  <p className="quiet">
    What you watch is not remembered. <Link to={`${settingsPath()}#privacy`}>Change this</Link>
  </p>
);
