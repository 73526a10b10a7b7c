import type { listProfiles } from "#app/domain/household/household.server.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import type { Face } from "./profile-face.tsx";

type Profile = Awaited<ReturnType<typeof listProfiles>>[number];

/** Twice its size on the page, for dense screens. */
const faceWidthPx = 256;

/** What pages show of a profile. */
export const faceOf = ({ id, name, avatar, accentColor, isOwner }: Profile): Face & FaceFacts => ({
  id,
  name,
  picture: proxiedPictureUrl(avatar, faceWidthPx),
  accentColor,
  isOwner,
});

type FaceFacts = { id: string; isOwner: boolean };
