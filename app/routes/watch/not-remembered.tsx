import { Link } from "react-router";
import { settingsPath } from "#app/paths.ts";

/** Says below the film that it leaves no trace, so that nobody wonders later why it is missing. */
export const NotRemembered = () => (
  <p className="quiet">
    What you watch is not remembered. <Link to={`${settingsPath()}#privacy`}>Change this</Link>
  </p>
);
