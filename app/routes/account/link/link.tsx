import { redirect } from "react-router";
import { z } from "zod";
import { findCurrentSession, notForChildrenPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import {
  decideAboutDevice,
  findWaitingDevice,
  startDeviceSignIn,
} from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { type Context, clientContext, isSecureIn } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { linkPath, linkPathWithCode, signInPath } from "#app/paths.ts";
import { inSeconds } from "#app/platform/units.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { qrCode } from "#app/routes/views/qr-code.server.ts";
import { arrowModeCookie } from "#app/ui/arrow-keys/arrow-choice.ts";
import { useFocusOnNewStep } from "#app/ui/forms/new-step.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import { AccountPage } from "../account-page.tsx";
import type { Route } from "./+types/link";
import { ConfirmDevice } from "./confirm-device.tsx";
import { readWaitingScreen, waitingCookie } from "./device-cookie.server.ts";
import { ScreenCode, StartScreen } from "./screen-code.tsx";

/** Both sides of signing in without a keyboard: the screen that shows a code, and the phone that confirms it. */

export const middleware: Route.MiddlewareFunction[] = [
  limitedWrites("device"),
  sameOriginPage,
  notForChildrenPage,
];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Sign in with another device",
    description: "Sign in on a television with your phone, without typing a password.",
  });

const errorTexts = new Map([
  ["expired", "The code has expired. Show a new one."],
  ["refused", "The sign-in was refused on the other device."],
]);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const session = await findCurrentSession(request, context);
  if (session) {
    const { id, name, email } = session.user;
    return { kind: "phone", profile: { id, name, email } } as const;
  }
  const error = errorTexts.get(url.searchParams.get("error") ?? "");
  const screen = await readWaitingScreen(request, context);
  if (screen === null) return { kind: "start", error } as const;
  const { origin } = context.get(clientContext);
  const { userCode, expiresAt } = screen;
  return {
    kind: "screen",
    userCode,
    site: new URL(origin).host + linkPath(),
    qr: qrCode(origin + linkPathWithCode(userCode)),
    secondsLeft: inSeconds(expiresAt - Date.now()),
  } as const;
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("show"), arrows: z.literal("on").optional() }),
  z.object({ intent: z.literal("look"), code: credentialInput }),
  z.object({ intent: z.enum(["confirm", "deny"]), code: credentialInput, profile: z.uuid() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const client = clientDeviceOf(request, context);
  if (form.value.intent === "show") return showCode(form.value, { request, context });
  const session = await findCurrentSession(request, context);
  if (!session) throw redirect(signInPath({ redirectTo: linkPath() }));
  if (form.value.intent === "look") {
    const waitingDevice = await findWaitingDevice(session, form.value.code, client);
    if (!waitingDevice.ok) return formErrorResponse(waitingDevice, { code: form.value.code });
    const { askedAt, ...device } = waitingDevice.value;
    return { waiting: { ...device, asked: timeAgoText(askedAt, new Date()) } };
  }
  const { intent, code, profile } = form.value;
  if (profile !== session.user.id) return { notice: otherProfileText };
  const isConfirmed = intent === "confirm";
  const decided = await decideAboutDevice(session, { userCode: code, isConfirmed }, client);
  if (!decided.ok) return formErrorResponse(decided, { code });
  const { device } = decided.value;
  return { notice: isConfirmed ? `${device} is now being signed in.` : `${device} was refused.` };
}

const otherProfileText =
  "This browser now acts for another profile than the one you were asked about. Nothing was confirmed: type the code again.";

type RouteRequest = { request: Request; context: Context };

async function showCode({ arrows }: { arrows?: "on" | undefined }, { request, context }: RouteRequest) {
  const started = await startDeviceSignIn(clientDeviceOf(request, context));
  if (!started.ok) return formErrorResponse(started);
  const { secret, userCode, expiresAt } = started.value;
  const cookie = await waitingCookie({ secret, userCode, expiresAt: expiresAt.getTime() }, context);
  const headers = new Headers({ "Set-Cookie": cookie, ...cacheHeaders(noStore) });
  if (arrows) headers.append("Set-Cookie", arrowModeCookie(true, isSecureIn(context)));
  throw redirect(linkPath(), { headers });
}

export default function LinkDevice({ loaderData: page, actionData }: Route.ComponentProps) {
  useFocusOnNewStep(page.kind);
  return (
    <AccountPage title="Sign in with another device">
      {page.kind === "phone" && <ConfirmDevice profile={page.profile} answer={actionData} />}
      {page.kind === "start" && <StartScreen error={page.error} answer={actionData} />}
      {page.kind === "screen" && <ScreenCode screen={page} />}
    </AccountPage>
  );
}
