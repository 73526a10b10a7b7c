import { eq } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isSameSecret } from "#app/platform/process/secrets.server.ts";
import { signUpsSetting } from "#app/platform/site-settings.server.ts";
import { isLocalMode } from "#app/platform/upstream/local-mode.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { findUsableInvitation, invitationHash, invitationUsedRefusal } from "./invitations.server.ts";
import { closeSignUpText } from "./joining.ts";

/** Decides who may create an account: by SIGNUPS, else by an operator's choice, else by the default. */

export type SignUpMode = "open" | "invite" | "code" | "closed";

/** The facts about a sign-up request that the rule needs. */
export type SignUpPass = {
  /** Local mode, and the request comes from this machine. */
  isLocal: boolean;
  code?: string | undefined;
  invitation?: string | undefined;
};

/** Permission to make an account. `invitation` is the hash of the invitation that the account uses up. */
export type SignUpAdmission = { invitation: string | null };

/** Sites from before there were invitations stay open if nobody chose otherwise, so that an update closes none. */
async function isKeptOpen(): Promise<boolean> {
  return (await db.$count(users, eq(users.joinedBeforeInvitations, true))) > 0;
}

export async function getSignUpMode(isLocal: boolean): Promise<SignUpMode> {
  const setting = signUpsSetting();
  if (setting !== undefined) return setting;
  return isLocal || (await isKeptOpen()) ? "open" : "invite";
}

export async function admitSignUp(pass: SignUpPass): Promise<Outcome<SignUpAdmission>> {
  const mode = await getSignUpMode(pass.isLocal);
  if (mode === "closed") return refuse("forbidden", "Sign-up is closed here");
  const hash = pass.invitation?.trim() ? invitationHash(pass.invitation) : null;
  if (hash !== null && (await findUsableInvitation(hash)) !== null) return done({ invitation: hash });
  if (mode === "open") return done({ invitation: null });
  if (hash !== null) return invitationUsedRefusal;
  if (mode === "invite") return refuse("forbidden", "People sign up here by invitation only");
  return isSameSecret((pass.code ?? "").trim(), env.SIGNUP_CODE ?? "")
    ? done({ invitation: null })
    : refuse("forbidden", "The sign-up code is wrong");
}

export type SignUpState = {
  /** `open-here`: people at another machine need an invitation, those at this one do not. */
  mode: SignUpMode | "open-here";
  warning: string | null;
};

/** For the start and the operators' pages. The warning says that an update has kept sign-up open. */
export async function getSignUpState(): Promise<SignUpState> {
  const isLocal = isLocalMode(env);
  const mode = await getSignUpMode(isLocal);
  if (mode !== "open" || signUpsSetting() !== undefined) return { mode, warning: null };
  return isLocal ? { mode: "open-here", warning: null } : { mode, warning: keptOpenText };
}

const keptOpenText = `SIGNUPS is unset, and anybody may sign up as before, because this site has accounts from before invitations. To change or keep this, ${closeSignUpText({})}`;
