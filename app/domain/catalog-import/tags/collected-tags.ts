import type { Tag } from "#app/domain/catalog/catalog.ts";

/** The numbered tags that an import has found, without duplicates. */
export class CollectedTags {
  readonly #tags = new Map<string, Tag>();

  #new: Tag[] = [];

  get all(): Tag[] {
    return [...this.#tags.values()];
  }

  /** The tags added since the last call. */
  takeNew(): Tag[] {
    const newTags = this.#new;
    this.#new = [];
    return newTags;
  }

  add(tags: readonly Tag[]): void {
    for (const { kind, malId, name } of tags) {
      const key = `${kind} ${malId}`;
      if (this.#tags.get(key)?.name !== name) this.#new.push({ kind, malId, name });
      this.#tags.set(key, { kind, malId, name });
    }
  }
}
