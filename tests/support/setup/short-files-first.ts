import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A smaller file calls tests that are written in tests/support, or waits for processes. */
const maxShortBytes = 2000;

/**
 * Begins with the files that take long, so that none of them runs alone at the end. In a new clone vitest knows no times
 * and begins with the largest files. But the smallest files of isolated projects take longest.
 */
export class ShortFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return sorted.sort(
      (one, other) =>
        projects.indexOf(one.project) - projects.indexOf(other.project) ||
        Number(isShort(other)) - Number(isShort(one)),
    );
  }
}

const isShort = ({ moduleId, project }: TestSpecification) =>
  project.config.isolate && statSync(moduleId).size < maxShortBytes;
