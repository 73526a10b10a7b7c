import { z } from "zod";
import { getCurrentUser, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { saveTrackChoice } from "#app/domain/library/library.server.ts";
import { isSoundChoice, isSubtitleChoice } from "#app/domain/library/library.ts";
import { messageObject, operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { idInput } from "#app/wire/input-aliases.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];

const choose = operation("PUT", {
  tag: "Watching",
  summary: "Save the sound and subtitles that the user chose for a title",
  description:
    "Its next episodes start with them. `sound` is a language, such as `ja` or `pt-BR`. `subtitles` is `off`, or a language that `signs`, `commentary` or `descriptions` and then `deaf` may follow after a space: `de signs`. Null forgets the choice; what is left out stays.",
  body: z.object({
    mal_id: idInput,
    sound: z.string().refine(isSoundChoice, "must be a language").nullable().optional(),
    subtitles: z.string().refine(isSubtitleChoice, "must be off or a language").nullable().optional(),
  }),
  answer: success(messageObject),
  refuses: ["not_found"],
  handle: async ({ body: { mal_id: malId, sound, subtitles }, context }) => {
    const user = getCurrentUser(context);
    const change = {
      malId,
      ...(sound !== undefined && { sound }),
      ...(subtitles !== undefined && { subtitles }),
    };
    const saved = await saveTrackChoice(user.id, change, viewerOf(user));
    return saved.ok ? succeed({ message: "The choice is saved" }) : saved;
  },
});

export const loader = serve(choose);
export const action = loader;
