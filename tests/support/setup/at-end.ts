import { afterAll, onTestFinished } from "vitest";

/** Runs `work` at the end of the current test, or of the test file if it is called outside of tests and hooks. */
export function atEnd(work: () => unknown) {
  const finish = async () => void (await work());
  try {
    onTestFinished(finish);
  } catch {
    afterAll(finish);
  }
}
