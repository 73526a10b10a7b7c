import { adminSetupPath } from "#app/admin-paths.ts";
import { isChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { getOwnerName } from "./title-refusal.server.ts";

export type NothingText = { heading: string; text: string; step?: { label: string; path: string } };

/** "This site shows no title of this season." For a child, also who chooses what its profile shows. */
export async function noTitleText(which: string, user: SessionUser | null): Promise<string> {
  if (!user || !isChild(user)) return `This site shows no title ${which}.`;
  return `This profile shows no title ${which}. ${await getOwnerName(user.accountId)} chooses what it shows.`;
}

/** The text of a page that lists titles and has none for this reader: the reason, and what the reader can do. */
export async function whyNothingHere(user: SessionUser | null): Promise<NothingText> {
  if (user && isChild(user)) {
    const owner = await getOwnerName(user.accountId);
    const reason =
      user.ceiling === "chosen"
        ? `${owner} chooses what this profile shows, and has allowed nothing yet.`
        : "This site has no titles for the age of this profile.";
    return {
      heading: "Nothing to watch yet",
      text: `${reason} Ask ${owner} to open the page of a title and allow it there, under “For your children”.`,
    };
  }
  if (user?.role === "operator")
    return {
      heading: "The catalog is empty",
      text: "Fetch one, and the pages show its titles at once.",
      step: { label: "Get the catalog", path: adminSetupPath({ step: "catalog" }) },
    };
  return { heading: "Nothing here yet", text: "This site has no titles yet. Its operator adds them." };
}
