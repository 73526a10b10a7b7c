import { createCookie } from "react-router";
import { z } from "zod";
import { type Context, isSecureIn } from "#app/http/context.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";

/** The cookie of a screen that waits for its confirmation: the secret that it asks with, and the code that it shows. */

const waitingScreen = z.object({ secret: z.string(), userCode: z.string(), expiresAt: z.number() });
type WaitingScreen = z.output<typeof waitingScreen>;

function deviceCookie(context: Context) {
  const secure = isSecureIn(context);
  const name = secure ? "__Host-engawa-device" : "engawa-device";
  return createCookie(name, {
    httpOnly: true,
    sameSite: "lax",
    secure,
    path: "/",
    secrets: getSigningSecrets(),
  });
}

export async function readWaitingScreen(request: Request, context: Context): Promise<WaitingScreen | null> {
  const cookie: unknown = await deviceCookie(context).parse(request.headers.get("Cookie"));
  const screen = waitingScreen.safeParse(cookie).data;
  return screen && screen.expiresAt > Date.now() ? screen : null;
}

export const waitingCookie = (screen: WaitingScreen, context: Context) =>
  deviceCookie(context).serialize(screen, { expires: new Date(screen.expiresAt) });

export const clearedWaitingCookie = (context: Context) => deviceCookie(context).serialize("", { maxAge: 0 });
