import { z } from "zod";
import { memberOf } from "#app/access/actor.server.ts";
import { getCurrentSession, grownUp, member } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { viewerOf } from "#app/access/viewer.server.ts";
import { importAccount, withUploadedAccount } from "#app/domain/library/library.server.ts";
import { reportResponse } from "#app/http/endpoint/long-answers.server.ts";
import { operation, serve, success } from "#app/http/endpoint/operation.server.ts";
import { readUploadedFile } from "#app/http/endpoint/uploaded-file.server.ts";
import { rawBytes } from "#app/http/endpoint/wire-schema.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { importReportObject, importReportOnWire } from "#app/wire/import-report.server.ts";
import { parsePictureUrl } from "#app/wire/picture-url.server.ts";

export const middleware = [limited("user"), sameOrigin, member, grownUp];

const count = z.int();
const personCounts = {
  watch_list: importReportObject,
  watch_progress: count,
  watch_history: count,
  track_choices: count,
};
const householdProfile = z
  .object({
    name: z.string(),
    child: z.boolean(),
    added: z.boolean().meta({ description: "False: the household had a profile of this name already" }),
    imported: z
      .object(personCounts)
      .nullable()
      .meta({ description: "Null for grown-ups, of whom the file holds the name alone" }),
  })
  .meta({ id: "ImportedProfile" });

const importFile = operation("POST", {
  tag: "Profile",
  summary: "Import an account file into this account",
  description:
    "Send the file as `file` of a form or as the body, gzipped or not. Data that the account already has is kept; its e-mail address, credentials and role never change, and parental control is never turned off. For the owner it also adds the profiles of the file that the household has not, up to eight, with the lists and histories of the children; children only once the owner has a PIN. Needs a session; an access token is not enough.",
  accepts: {
    "application/json": z.looseObject({}),
    "application/gzip": rawBytes,
    "application/octet-stream": rawBytes,
    "multipart/form-data": z.object({ file: rawBytes }),
  },
  answer: success(
    z
      .object({
        ...personCounts,
        search_history: count,
        household_titles: count,
        profiles: z.array(householdProfile).meta({
          description: "The other profiles of the household, which only the owner can import",
        }),
        skipped: z.array(z.object({ field: z.string(), why: z.string() })).meta({
          description: "Values of the profile and the preferences, and other profiles, that were not saved",
        }),
      })
      .meta({ id: "AccountImportReport" }),
  ),
  refuses: ["invalid", "too_large", "unsupported", "overloaded", "disk_full"],
  handle: async ({ request, context }) => {
    const session = getCurrentSession(context);
    const options = {
      viewer: viewerOf(session.user),
      storedPicture: (address: string) => parsePictureUrl(address, context),
      actor: memberOf(context),
    };
    return readUploadedFile(request, context, async (uploaded) => {
      const { file: scratch, keepFor: keepFile } = uploaded;
      const imported = await withUploadedAccount(uploaded, (account) =>
        importAccount(session, account, { ...options, scratch }),
      );
      if (!imported.ok) return imported;
      return reportResponse(accountReportOnWire(imported.value), { context, keepFile });
    });
  },
});

type Report = Awaited<ReturnType<typeof importAccount>>;
type Counts = Pick<Report, "watchList" | "resumePoints" | "views" | "trackChoices">;

const accountReportOnWire = ({ searches, householdTitles, profiles, skipped, ...own }: Report) => ({
  ...countsOnWire(own),
  search_history: searches,
  household_titles: householdTitles,
  profiles: profiles.map(({ name, isChild, isNew, report }) => ({
    name,
    child: isChild,
    added: isNew,
    imported: report && countsOnWire(report),
  })),
  skipped,
});

const countsOnWire = ({ watchList, resumePoints, views, trackChoices }: Counts) => ({
  watch_list: importReportOnWire(watchList),
  watch_progress: resumePoints,
  watch_history: views,
  track_choices: trackChoices,
});

export const loader = serve(importFile);
export const action = loader;
