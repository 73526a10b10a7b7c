import { afterAll, onTestFinished } from "vitest";

/** What a test began ends with it, what the file began ends with the file. */
export function atEnd(work: () => unknown) {
  const finish = async () => void (await work());
  try {
    onTestFinished(finish);
  } catch {
    afterAll(finish);
  }
}
