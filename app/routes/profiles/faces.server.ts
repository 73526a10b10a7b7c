import type { listProfiles } from "#app/domain/household/household.server.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { Face } from "./profile-face.tsx";

type Profile = Awaited<ReturnType<typeof listProfiles>>[number];

/** Twice the picture's width on the page, for dense screens. */
const faceWidthPx = 256;

/** A profile as the pages show it. */
export const faceOf = ({ id, name, avatar, accentColor, isOwner }: Profile): Face & FaceFacts => ({
  id,
  name,
  picture: proxiedPictureUrl(avatar, faceWidthPx),
  accentColor,
  isOwner,
});

type FaceFacts = { id: string; isOwner: boolean };
