import type { Tag } from "#app/domain/catalog/catalog.ts";

/** The numbers of tags that an import has met, each once. */
export class CollectedTags {
  readonly #tags = new Map<string, Tag>();

  #new: Tag[] = [];

  get all(): Tag[] {
    return [...this.#tags.values()];
  }

  /** The tags that came since the last call. */
  takeNew(): Tag[] {
    const taken = this.#new;
    this.#new = [];
    return taken;
  }

  add(tags: readonly Tag[]): void {
    for (const { kind, malId, name } of tags) {
      const key = `${kind} ${malId}`;
      if (this.#tags.get(key)?.name !== name) this.#new.push({ kind, malId, name });
      this.#tags.set(key, { kind, malId, name });
    }
  }
}
