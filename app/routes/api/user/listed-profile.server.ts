import { z } from "zod";
import { ceilings } from "#app/domain/accounts/accounts.ts";
import type { findProfile } from "#app/domain/household/household.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { absoluteUrl } from "#app/http/endpoint/absolute-url.server.ts";

/** A profile of the household, as all profiles of the account may see it. */

export const householdProfileObject = z.object({
  id: z.string(),
  name: z.string(),
  avatar: z.string().nullable(),
  accent: z.string(),
  owner: z.boolean().meta({ description: "The first profile, which manages the household and the account" }),
  ceiling: z
    .enum(ceilings)
    .nullable()
    .meta({ description: "How far the profile of a child goes; null for a grown-up" }),
});

type FoundProfile = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

export const householdProfileOnWire = (
  { id, name, avatar, accentColor, isOwner, ceiling }: FoundProfile,
  context: Context,
): z.input<typeof householdProfileObject> => ({
  id,
  name,
  avatar: absoluteUrl(context, avatar),
  accent: accentColor,
  owner: isOwner,
  ceiling,
});
