import { z } from "zod";
import type { ListImportReport } from "#app/domain/library/library.server.ts";
import { entryStates, listStatuses } from "#app/domain/library/library.ts";
import { mapRows, type Rows } from "#app/platform/process/stored-rows.ts";

/** The report of a list import, or of its preview. */

const titleName = z.object({ mal_id: z.int(), title: z.string() });
const entryValues = z
  .object({
    type: z.enum(listStatuses),
    state: z.enum(entryStates).nullable(),
    progress: z.int(),
    score: z.number().nullable(),
  })
  .meta({ id: "EntryValues" });

export const importReportObject = z
  .object({
    added: z.array(titleName.extend(entryValues.shape)),
    changed: z.array(
      titleName.extend({ fields: z.array(z.string()), before: entryValues, after: entryValues }),
    ),
    unchanged: z.array(titleName),
    unmatched: z.array(
      z.object({ mal_id: z.int().nullable(), title: z.string().nullable(), why: z.string() }),
    ),
    clamped: z
      .array(titleName.extend({ progress: z.int(), episodes: z.int() }))
      .meta({ description: "Entries with more episodes seen in the file than the title has" }),
    hidden: z.int().meta({
      description:
        "How many added or changed entries have a title that the member may not see. The lists omit them",
    }),
    undo: z
      .string()
      .nullable()
      .meta({ description: "The id for undoing the import; null when nothing changed" }),
  })
  .meta({ id: "ImportReport" });

const toWireNames = <Fields extends { malId: number | null }>({ malId, ...fields }: Fields) => ({
  mal_id: malId as Fields["malId"],
  ...fields,
});

/** The lists of the report, which are read from the disk while they are sent. */
type ReportOnWire = {
  [Name in keyof ImportReport]: ImportReport[Name] extends (infer Row)[] ? Rows<Row> : ImportReport[Name];
};
type ImportReport = z.input<typeof importReportObject>;

export const importReportOnWire = (report: ListImportReport): ReportOnWire => ({
  added: mapRows(report.added, toWireNames),
  changed: mapRows(report.changed, toWireNames),
  unchanged: mapRows(report.unchanged, toWireNames),
  unmatched: mapRows(report.unmatched, toWireNames),
  clamped: mapRows(report.clamped, toWireNames),
  hidden: report.hidden,
  undo: report.undo,
});
