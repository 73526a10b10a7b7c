import { hours, inSeconds } from "../platform/duration.ts";
import { answerNotesContext, type Context } from "./context.server.ts";

/** How long an answer may be kept, and by whom. Routes name one; nobody writes Cache-Control by hand. */
export type CachePolicy = { readonly control: string; readonly publicForMs?: number };

export const noStore: CachePolicy = { control: "no-store" };
export const privateNoStore: CachePolicy = { control: "private, no-store" };
export const immutable: CachePolicy = { control: "public, max-age=31536000, immutable" };

/** The same for everybody while fresh: shared caches may keep it, our own included. */
export const publicFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}, s-maxage=${inSeconds(milliseconds)}`,
  publicForMs: milliseconds,
});

export const publicListing = publicFor(hours(2));

/** Judged by the name alone: whether it is valid costs a query. */
export const carriesSession = (cookies: string | null | undefined): boolean =>
  /session[\w-]*=/i.test(cookies ?? "");

/** What is the same for everybody unless somebody signed in asks to see mature titles. */
export const unlessPersonal = (policy: CachePolicy) => (asked: { query: unknown; request: Request }) => {
  const { parentalControl } = asked.query as { parentalControl: boolean };
  return parentalControl || !carriesSession(asked.request.headers.get("Cookie")) ? policy : privateNoStore;
};

export function applyCachePolicy(headers: Headers, policy: CachePolicy, context: Context) {
  headers.set("Cache-Control", policy.control);
  if (policy.publicForMs === undefined) return;
  headers.set("Expires", new Date(Date.now() + policy.publicForMs).toUTCString());
  headers.append("Vary", "Accept-Encoding");
  context.get(answerNotesContext).isPublic = true;
}
