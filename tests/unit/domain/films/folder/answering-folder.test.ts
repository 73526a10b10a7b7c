import { afterEach, expect, test, vi } from "vitest";
import { createFolderReader, SilentFolder } from "#app/domain/films/folder/answering-folder.server.ts";
import { seconds } from "#app/platform/units.ts";

/** A folder whose reads hang, as those of a network share without its server. */

afterEach(() => void vi.useRealTimers());

test("a folder that hangs takes three threads, however many reads it gets, and is then left alone", async () => {
  vi.useFakeTimers();
  let begun = 0;
  const hang = () => {
    begun++;
    return new Promise<never>(() => {});
  };
  const { read, readPiece } = createFolderReader("/films", hang);
  const refusals = Array.from({ length: 5 }, () => read(hang).catch((error: unknown) => error));
  for (let pieces = 0; pieces < 5; pieces++) void readPiece(hang);
  await vi.advanceTimersByTimeAsync(seconds(5));
  for (const refusal of await Promise.all(refusals)) expect(refusal).toBeInstanceOf(SilentFolder);
  await expect(read(hang)).rejects.toThrow(SilentFolder);
  expect(begun).toBe(3);
});

test("reads that wait begin when others end, also with an error", async () => {
  const { read, readPiece } = createFolderReader("/films", async () => {});
  const missing = async () => {
    throw new Error("no such file");
  };
  const failed = Array.from({ length: 5 }, () => expect(read(missing)).rejects.toThrow("no such file"));
  const found = Array.from({ length: 5 }, (_, at) => readPiece(async () => at));
  expect(await Promise.all(found)).toEqual([0, 1, 2, 3, 4]);
  await Promise.all(failed);
});
