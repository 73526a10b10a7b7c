import { z } from "zod";
import type { ListImportReport } from "#app/domain/library/library.server.ts";
import { listStatuses } from "#app/domain/library/library.ts";

/** What an import of a list did, or would do. */

const named = z.object({ mal_id: z.int(), title: z.string() });
const told = z.object({
  type: z.enum(listStatuses),
  progress: z.int(),
  score: z.number().nullable(),
});

export const importReportObject = z.object({
  added: z.array(named.extend(told.shape)),
  changed: z.array(named.extend({ fields: z.array(z.string()), before: told, after: told })),
  unchanged: z.array(named),
  unmatched: z.array(z.object({ mal_id: z.int().nullable(), title: z.string().nullable(), why: z.string() })),
  undo: z.string().nullable().meta({ description: "Takes the import back; null when nothing changed" }),
});

const underWireName = <Fields extends { malId: number | null }>({ malId, ...fields }: Fields) => ({
  mal_id: malId as Fields["malId"],
  ...fields,
});

export const importReportOnWire = (report: ListImportReport): z.input<typeof importReportObject> => ({
  added: report.added.map(underWireName),
  changed: report.changed.map(underWireName),
  unchanged: report.unchanged.map(underWireName),
  unmatched: report.unmatched.map(underWireName),
  undo: report.undo,
});
