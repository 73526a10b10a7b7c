import { Link } from "react-router";
import { householdPath, leaveAccountPath, profilesPath } from "#app/paths.ts";

/** `others`: the names of the account's other profiles. */
type Props = { isOwner: boolean; others: readonly string[] };

export const HouseholdLinks = ({ isOwner, others }: Props) => (
  <>
    <p className="quiet">
      {others.length > 0
        ? `This account is shared with ${others.join(", ")}.`
        : "Somebody else who watches with this account can have a profile of their own, with a list and a history."}
    </p>
    <p className="message-actions">
      {others.length > 0 && (
        <Link className="button" data-kind="ghost" to={profilesPath()}>
          Switch profile
        </Link>
      )}
      {isOwner ? (
        <Link className="button" data-kind="ghost" to={householdPath()}>
          {others.length > 0 ? "Manage profiles" : "Add a profile"}
        </Link>
      ) : (
        <Link className="button" data-kind="ghost" to={leaveAccountPath()}>
          Make this an account of its own
        </Link>
      )}
    </p>
  </>
);
