import { data } from "react-router";
import { isChild, isMinor, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { findBarrier } from "#app/domain/catalog/catalog.server.ts";
import { listProfiles } from "#app/domain/household/household.server.ts";
import type { Barrier, Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { PageRefusal, RefusalText } from "#app/http/forms/page-refusal.ts";
import { homePath, profilesPath, searchPath, settingsPath, signInPath, titlePath } from "#app/paths.ts";

/**
 * The text that the pages of a title show a viewer who may not see it: the reason, and what the viewer can do. The text
 * names neither the title nor a setting that the viewer cannot change.
 */

type Reader = { viewer: Viewer; user: SessionUser | null };

const searchStep = { label: "Search", path: searchPath() };
const homeStep = { label: "Home", path: homePath() };

/** Also shown for a title that operators have hidden: for all other viewers it does not exist. */
const unknownTitle: RefusalText = {
  title: "No such title here",
  text: "This site has no title at this address. Search for it by one of its names.",
  step: searchStep,
};

/** The answer of a page whose title the viewer may not see. */
export async function refusedTitle(malId: number, { viewer, user }: Reader) {
  const barrier = await findBarrier(malId, viewer);
  const text =
    barrier === null
      ? unknownTitle
      : user && isChild(user)
        ? await childText(malId, user, barrier)
        : adultText(malId, user);
  const refusal: PageRefusal = { text };
  return data(refusal, { status: barrier === null ? 404 : 403 });
}

function adultText(malId: number, user: SessionUser | null): RefusalText {
  const title = "Hidden by parental control";
  if (user && isMinor(user.birthday))
    return {
      title,
      text: "This title is for adults, and by your birthday you are under 18. Nothing that you can set shows it.",
      step: searchStep,
    };
  if (user === null)
    return {
      title,
      text: "This title is for adults. Only members can turn parental control off.",
      step: { label: "Sign in", path: signInPath({ redirectTo: titlePath(malId, "") }) },
    };
  return {
    title,
    text: "This title is for adults, and parental control is on in your settings.",
    step: { label: "Open the settings", path: `${settingsPath()}#content` },
  };
}

/** The owner of the account may sit beside the child, and allows the title on its page. */
async function childText(malId: number, user: SessionUser, barrier: Barrier): Promise<RefusalText> {
  const title = "Not for this profile";
  if (barrier === "parental control") return { title, text: "This title is for adults.", step: homeStep };
  const owner = await getOwnerName(user.accountId);
  const reasons = {
    blocked: `${owner} has chosen that this profile does not show this title. Only ${owner} can change that.`,
    "not allowed": `This profile shows only what ${owner} has allowed. Ask ${owner} to allow this title.`,
    rating: `This title is above the age limit of this profile, or has no age rating. Ask ${owner} to allow it.`,
  };
  return {
    title,
    text: `${reasons[barrier]} After “Switch profile”, ${owner} finds “For your children” on this page.`,
    step: { label: "Switch profile", path: profilesPath({ redirectTo: titlePath(malId, "") }) },
  };
}

/** The name of the profile that allows and blocks titles for the children of the account. */
export async function getOwnerName(accountId: string): Promise<string> {
  const owner = (await listProfiles(accountId)).find(({ isOwner }) => isOwner);
  return owner?.name ?? "the first profile";
}
