/** Refusals of pictures that a browser without scripts has uploaded. The query of the page contains the reason. */

export type PictureKind = "avatar" | "banner";
/** The pictures of titles are refused in the same way as those of members. */
type RefusedKind = PictureKind | "poster";

const parameter = "refused";

const refusalTexts: Record<number, string> = {
  400: "This is not a picture that can be read. Choose another file, for example JPEG, PNG or WebP.",
  413: "This picture is too large, or your account holds too many. Choose a smaller one.",
  415: "This is not a picture that can be read. Choose another file, for example JPEG, PNG or WebP.",
  503: "The site is busy. Send the picture again in a moment.",
  507: "The disk of this site is nearly full, so the picture was not saved. Tell the operator.",
};

/** The path of the page with the refusal in its query. */
export const withRefusal = (path: string, kind: RefusedKind, status: number) =>
  `${path}${path.includes("?") ? "&" : "?"}${parameter}=${kind}-${status}`;

export function withoutRefusal(search: string): string {
  const query = new URLSearchParams(search);
  if (!query.has(parameter)) return search;
  query.delete(parameter);
  return query.size === 0 ? "" : `?${query}`;
}

export function refusedPictureText(kind: RefusedKind, search: string): string | null {
  const [refused, status] = new URLSearchParams(search).get(parameter)?.split("-") ?? [];
  if (refused !== kind) return null;
  return refusalTexts[Number(status)] ?? "The picture could not be saved. Try another one.";
}
