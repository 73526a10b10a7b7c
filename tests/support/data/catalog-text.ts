import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { importRecords, readRecords } from "#app/domain/catalog-import/catalog-import.server.ts";
import { exportCatalog } from "#app/domain/catalog-sharing/catalog-sharing.server.ts";

/** Exports the catalog as one text, and imports such texts. */

export const exportedText = (options = { withTexts: false }) => text(exportCatalog(options));

/** An exported text without its first line, which names the sources. An import of it has only the file as its source. */
export const withoutSources = (exported: string) => exported.replace(/^{"kind":"about".*\n/, "");

export const importText = (content: string, options: Parameters<typeof importRecords>[1] = {}) =>
  importRecords(readRecords(Readable.from([content])), options);

export const importJson = (value: unknown, options: Parameters<typeof importRecords>[1] = {}) =>
  importText(JSON.stringify(value), options);
