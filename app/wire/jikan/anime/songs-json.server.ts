import { z } from "zod";
import type { Title } from "#app/domain/catalog/catalog.ts";

/** Opening and ending songs as Jikan's `theme`. */

const songs = z.array(z.string());

export const songsObject = z.object({ openings: songs, endings: songs }).meta({ id: "Songs" });

export const songsOnWire = ({
  openingSongs: openings,
  endingSongs: endings,
}: Pick<Title, "openingSongs" | "endingSongs">): z.output<typeof songsObject> => ({ openings, endings });
