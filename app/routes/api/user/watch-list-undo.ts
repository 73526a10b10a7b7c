import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { undoImport } from "#app/domain/library/library.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const undo = operation("POST", {
  tag: "Watch list",
  summary: "Undo an import",
  description: "Works once. Keeps what the user has changed since the import.",
  body: z.object({ undo: z.guid() }),
  answer: success(
    z.object({ message: z.string(), restored: z.int(), removed: z.int() }).meta({ id: "UndoneImport" }),
  ),
  refuses: ["not_found"],
  handle: async ({ body, context }) => {
    const outcome = await undoImport(getCurrentUser(context).id, body.undo);
    return outcome.ok ? succeed({ message: "The import is undone", ...outcome.value }) : outcome;
  },
});

export const loader = serve(undo);
export const action = loader;
