import type { MiddlewareFunction } from "react-router";
import { z } from "zod";
import { orServerError } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { hearOfFiles, isHookSecret } from "#app/domain/scanning/scanning.server.ts";
import { readHookMessage } from "#app/domain/scanning/scanning.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { mebibytes } from "#app/platform/units.ts";

/**
 * Other programs report here that films were added, renamed or removed. The secret is the password, or the end of the
 * address.
 */

function basicPassword(request: Request): string | null {
  const [, encoded = ""] = /^Basic\s+([\w+/=-]+)\s*$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return password ?? null;
}

/** Checks the secret before the body is read, so that strangers cannot fill the memory with bodies. */
const withSecret: MiddlewareFunction<Response> = async ({ request, params }, next) => {
  if (request.method !== "POST") return next();
  const isKnown = isHookSecret(params.secret ?? basicPassword(request));
  if (!(await orServerError(isKnown, "a secret could not be verified"))) throw fail("unauthorized");
  return next();
};

export const middleware = [limited("hooks"), sameOrigin, withSecret];

const heard = z
  .object({
    status: z
      .enum(["test", "scanning", "searching"])
      .describe(
        "`searching`: not every file was found by its path, so its folder or all of MEDIA_DIR is scanned",
      ),
    folders: z.array(z.string()).describe("What is scanned; an empty text is all of MEDIA_DIR"),
  })
  .meta({ id: "HookAnswer" });

const post = operation("POST", {
  tag: "Images and video",
  summary: "Say that films came, changed their names or went",
  description:
    "For Sonarr (`/api/hooks/sonarr`) and Radarr (`/api/hooks/radarr`), as a connection of the kind Webhook, and for any other program (`/api/hooks/scan` with `path`, a file or a folder). An operator makes the secret: it is the password (any user name), or follows the address (`/api/hooks/sonarr/SECRET`). Only the end of a path counts, since the folder can have another name where the program runs. Answers 200 if every file was found, 202 if its folder is searched.",
  params: {
    program: z.enum(["sonarr", "radarr", "scan"]),
    secret: z.string().describe("If it is not sent as a password"),
  },
  body: z.looseObject({
    eventType: z.string().optional().describe("Sonarr and Radarr"),
    path: z.string().max(4096).optional().describe("For `scan`"),
  }),
  bodyLimit: mebibytes(1),
  answer: heard,
  mayAnswerEarly: true,
  refuses: ["unauthorized", "not_found", "overloaded"],
  async handle({ params, body }) {
    const namedFiles = readNamed(params.program ?? "", body);
    if (namedFiles === null) return { status: "test" as const, folders: [] };
    const outcome = await hearOfFiles(namedFiles);
    if (!outcome.ok) return outcome;
    const { folders, isExact } = outcome.value;
    const answer = { status: isExact ? "scanning" : "searching", folders };
    return Response.json(answer, { status: isExact ? 200 : 202, headers: cacheHeaders(noStore) });
  },
});

/** Null if the program only tests the connection. */
function readNamed(program: string, body: { path?: string | undefined }) {
  if (program === "scan") {
    if (body.path === undefined) throw fail("invalid", "path: name the file or the folder");
    return { files: [{ path: body.path, size: null }], folders: [] };
  }
  if (program !== "sonarr" && program !== "radarr") throw fail("not_found");
  const message = readHookMessage(body);
  if (message === null)
    throw fail("invalid", `This is no message of ${program === "sonarr" ? "Sonarr" : "Radarr"}`);
  return message.isTest ? null : message;
}

export const loader = serve(post);
export const action = loader;
