import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { clientDeviceOf } from "#app/access/session-headers.server.ts";
import { startDeviceSignIn } from "#app/domain/sign-in/sign-in.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { linkPath, linkPathWithCode } from "#app/paths.ts";
import { inSeconds } from "#app/platform/units.ts";

export const middleware = [limited("device"), sameOrigin];

const deviceRequest = z
  .object({
    device_code: z.string().describe("The device keeps it secret"),
    user_code: z.string().describe("The device shows it, for example BCDF-GHJK"),
    verification_uri: z.url().describe("Where a signed-in member types the code"),
    verification_uri_complete: z.url().describe("The same with the code, for a QR code"),
    expires_in: z.int().describe("Seconds"),
    interval: z.int().describe("Seconds between two questions at `/api/auth/device/token`"),
  })
  .meta({ id: "DeviceRequest" });

const start = operation("POST", {
  tag: "Accounts",
  summary: "Ask for a code with which a member signs this device in",
  description:
    "For devices without a keyboard, by the rules of RFC 8628: show `user_code` and `verification_uri`, then ask `/api/auth/device/token` every `interval` seconds.",
  answer: success(deviceRequest),
  refuses: ["overloaded"],
  handle: async ({ request, context }) => {
    const started = await startDeviceSignIn(clientDeviceOf(request, context));
    if (!started.ok) return started;
    const { secret, userCode, expiresAt, intervalMs } = started.value;
    const { origin } = context.get(clientContext);
    return succeed({
      device_code: secret,
      user_code: userCode,
      verification_uri: origin + linkPath(),
      verification_uri_complete: origin + linkPathWithCode(userCode),
      expires_in: inSeconds(expiresAt.getTime() - Date.now()),
      interval: inSeconds(intervalMs),
    });
  },
});

export const loader = serve(start);
export const action = loader;
