import { z } from "zod";
import { getCurrentUser, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { reportProgress } from "#app/domain/library/library.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { bearerToken } from "#app/http/guards/bearer-token.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { episodeInput, idInput, timeInput } from "#app/wire/input-aliases.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken];

const seconds = z.number().min(0).max(1_000_000);

const report = operation("PUT", {
  tag: "Watching",
  summary: "Save the position of the user in an episode",
  description:
    "In seconds. The report with the latest `at` counts, in whatever order reports arrive. Of a user with the preference `forgetsWatched`, nothing is stored: the answer to a valid report is the same as at the beginning of an episode.",
  body: z.object({
    mal_id: idInput,
    ep: episodeInput,
    position: seconds,
    duration: seconds,
    at: timeInput.optional(),
    list: z.boolean().default(false).meta({
      description:
        "Sent by the watch page. Finishing the first episode then adds the title to the list as Watching, and finishing any episode of a title that is To Watch makes it Watching, unless the user has turned that off. `on_list` in the answer says so. Reports with an access token change no list status.",
    }),
  }),
  answer: success(
    z
      .object({
        watched: z.boolean(),
        offers_completed: z.boolean(),
        on_list: z
          .object({ added: z.boolean(), moved: z.boolean(), offers_rewatch: z.boolean() })
          .optional()
          .meta({ description: "Only with `list`" }),
      })
      .meta({ id: "ReportedProgress" }),
  ),
  refuses: ["not_found"],
  handle: async ({ body, request, context }) => {
    const { mal_id: malId, ep: episode, position, duration, at = new Date(), list } = body;
    const resumePoint = { malId, episode, position: duration > 0 ? Math.min(position, duration) : position };
    const user = getCurrentUser(context);
    const outcome = await reportProgress(user.id, { ...resumePoint, duration, at }, viewerOf(user), {
      changesList: list && user.preferences.listsWatched && bearerToken(request) === null,
    });
    if (!outcome.ok) return outcome;
    const { watched, offersCompleted, isAdded, isMoved, offersRewatch } = outcome.value;
    return succeed({
      watched,
      offers_completed: offersCompleted,
      ...(list && { on_list: { added: isAdded, moved: isMoved, offers_rewatch: offersRewatch } }),
    });
  },
});

export const loader = serve(report);
export const action = loader;
