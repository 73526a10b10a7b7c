import { z } from "zod";
import { memberOf } from "#app/api/access/actor.server.ts";
import { viewerOf } from "#app/api/access/viewer.server.ts";
import { importReportObject, importReportOnWire } from "#app/api/import-report.server.ts";
import { parsePictureUrl } from "#app/api/picture-url.server.ts";
import { recordEvent } from "#app/domain/events/events.server.ts";
import { importAccount, readUploadedAccount } from "#app/domain/library/library.server.ts";
import { getCurrentUser, grownUp, member } from "#app/http/access/guard.server.ts";
import { sameOrigin } from "#app/http/access/same-origin.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { readUploadedFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { rawBytes } from "#app/http/endpoint/wire-schema.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";

export const middleware = [sameOrigin, member, grownUp];

const count = z.int();

const importFile = operation("POST", {
  tag: "Profile",
  summary: "Import an account file into this account",
  description:
    "Send the file as `file` of a form or as the body, gzipped or not. Data that the account already has is kept; its e-mail address, credentials and role never change, and parental control is never turned off. Needs a session; an access token is not enough.",
  accepts: {
    "application/json": z.looseObject({}),
    "application/gzip": rawBytes,
    "application/octet-stream": rawBytes,
    "multipart/form-data": z.object({ file: rawBytes }),
  },
  answer: success(
    z
      .object({
        watch_list: importReportObject,
        search_history: count,
        watch_progress: count,
        watch_history: count,
        track_choices: count,
        household_titles: count,
        skipped: z
          .array(z.object({ field: z.string(), why: z.string() }))
          .meta({ description: "Values of the profile and the preferences that were not saved" }),
      })
      .meta({ id: "AccountImportReport" }),
  ),
  refuses: ["invalid", "too_large", "unsupported", "overloaded"],
  handle: async ({ request, context }) => {
    const file = await readUploadedFile(
      request,
      ipBlockOf(context.get(clientContext).ip),
      readUploadedAccount,
    );
    if (!file.ok) return file;
    const { watchList, searches, resumePoints, views, trackChoices, householdTitles, skipped } =
      await importAccount(getCurrentUser(context), file.value, {
        viewer: viewerOf(getCurrentUser(context)),
        storedPicture: (address) => parsePictureUrl(address, context),
      });
    await recordEvent({
      kind: "account_imported",
      userId: getCurrentUser(context).accountId,
      actor: memberOf(context),
    });
    return succeed({
      watch_list: importReportOnWire(watchList),
      search_history: searches,
      watch_progress: resumePoints,
      watch_history: views,
      track_choices: trackChoices,
      household_titles: householdTitles,
      skipped,
    });
  },
});

export const loader = serve(importFile);
export const action = loader;
