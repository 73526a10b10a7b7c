import type { Tag } from "./tag-facts.ts";

/** The numbers of tags that an import has met, each once. */
export class CollectedTags {
  readonly #tags = new Map<string, Tag>();

  get all(): Tag[] {
    return [...this.#tags.values()];
  }

  add(tags: readonly Tag[]): void {
    for (const { kind, malId, name } of tags) this.#tags.set(`${kind} ${malId}`, { kind, malId, name });
  }
}
