import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { rememberPerVersion, type Viewer, viewerKey } from "#app/domain/catalog/catalog.server.ts";
import { minutes } from "#app/platform/units.ts";

export type Member = Pick<SessionUser, "id" | "version">;

type About = {
  member: Member | null;
  viewer: Viewer;
  /** What is remembered, beside whose it is. */
  what: string;
};

/**
 * Remembers what a page shows of a member, who comes back to it more often than anything of theirs changes. A change of the
 * catalog, the profile or the library ends it, and so does a minute, because titles go on the air. Of visitors nothing is
 * remembered: their pages are kept whole.
 */
export function rememberPerMember<Value extends object>(max: number) {
  const remember = rememberPerVersion<Value>(max, minutes(1));
  return ({ member, viewer, what }: About, read: () => Promise<Value>): Promise<Value> =>
    member === null || member.version === null
      ? read()
      : remember([member.id, member.version, viewerKey(viewer), what].join(" "), read);
}
