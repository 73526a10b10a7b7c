import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A smaller file often calls tests that are written in tests/support, or waits for processes. */
const maxShortBytes = 2000;

/**
 * Begins with the short files of isolated projects, which often take longest, so that none of them runs alone at the end.
 * In a new clone vitest knows no times and begins with the largest files.
 */
export class ShortFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => Number(isShort(other)) - Number(isShort(one)));
  }
}

const isShort = ({ moduleId, project }: TestSpecification) =>
  project.config.isolate && statSync(moduleId).size < maxShortBytes;
