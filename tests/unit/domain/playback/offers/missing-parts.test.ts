import { expect, test } from "vitest";
import { missingFiles, missingNote } from "#app/domain/playback/offers/missing-parts.ts";
import type { EditionPart } from "#app/media/film/inspection.ts";

const elsewhere = (title: string | null, segmentId: string, end: number | null = 90): EditionPart => ({
  title,
  start: 0,
  end,
  isHidden: false,
  otherFile: segmentId,
});

test("a viewer reads which parts are missing, and how long they are", () => {
  expect(missingNote({ edition: null, linkedFiles: [] })).toBeNull();
  expect(missingNote({ edition: [elsewhere("Opening", "ab")], linkedFiles: [] })).toBe(
    "This video is played without “Opening” (1:30), which is in another file.",
  );
  const edition = [elsewhere("Opening", "ab"), elsewhere(null, "cd", null)];
  const linkedFiles = [{ place: "after" as const, segmentId: "ef", fileName: null }];
  expect(missingNote({ edition, linkedFiles })).toBe(
    "This video is played without “Opening” (1:30) and a part, which are in other files. The rest of this video is in another file.",
  );
});

test("an operator reads which file holds the part, or that none here does", () => {
  const edition = [elsewhere("Opening", "ab"), elsewhere("Ending", "cd")];
  const pathOf = (segmentId: string) => (segmentId === "ab" ? "Show/Opening.mkv" : undefined);
  expect(missingFiles({ edition, linkedFiles: [] }, pathOf)).toBe(
    "It is played without “Opening” (1:30), which is in another file: Show/Opening.mkv. It is played without “Ending” (1:30), which is in another file. No video in the media folder has its id, cd.",
  );
});

test("a file that names hundreds of others does not fill the page", () => {
  const edition = Array.from({ length: 300 }, (_, at) => elsewhere(`Part ${at}`, "ab"));
  expect(missingNote({ edition, linkedFiles: [] })).toMatch(
    /and 292 other parts, which are in other files\.$/,
  );
  expect(missingFiles({ edition, linkedFiles: [] }, () => undefined)).toMatch(
    / 292 more parts are in other files\.$/,
  );
});
