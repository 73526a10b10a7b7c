import { z } from "zod";
import { getCurrentUser, grownUp, memberOrToken } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { firstAliasIn, inputAliases, withAliases } from "#app/wire/input-aliases.server.ts";
import { requirePictureUrl } from "#app/wire/picture-url.server.ts";
import { profileObject, profileOnWire } from "#app/wire/profile.server.ts";

export const middleware = [limited("user"), sameOrigin, memberOrToken, grownUp];

const fields = z.object({
  ...withAliases(inputAliases.avatar, z.string().nullable()),
  ...withAliases(inputAliases.banner, z.string().nullable()),
  ...withAliases(inputAliases.name, z.string()),
});

const save = operation("POST", {
  tag: "Profile",
  summary: "Use a picture as avatar or banner, or change the name",
  description:
    "Send the avatar's URL as a JSON string, or an object with at least one of the fields. A picture that is null is removed.",
  body: z.union([z.string().transform((avatar) => ({ avatar })), fields.meta({ minProperties: 1 })]),
  answer: success(
    profileObject
      .pick({ id: true, name: true, avatar_url: true, banner_image: true, updated_at: true })
      .meta({ id: "SavedPictures" }),
  ),
  handle: async ({ body, context }) => {
    const input: z.output<typeof fields> = body;
    const avatar = firstAliasIn(inputAliases.avatar, input);
    const banner = firstAliasIn(inputAliases.banner, input);
    const name = firstAliasIn(inputAliases.name, input);
    if (avatar === undefined && banner === undefined && name === undefined)
      throw fail("invalid", "avatar, banner_image or name is required");
    const outcome = await updateProfile(getCurrentUser(context).id, {
      name,
      avatarUrl: avatar == null ? avatar : requirePictureUrl(avatar, "avatar", context),
      bannerImage: banner == null ? banner : requirePictureUrl(banner, "banner_image", context),
    });
    if (!outcome.ok) return outcome;
    const { id, name: saved, avatar_url, banner_image, updated_at } = profileOnWire(outcome.value, context);
    return succeed({ id, name: saved, avatar_url, banner_image, updated_at });
  },
});

export const loader = serve(save);
export const action = loader;
