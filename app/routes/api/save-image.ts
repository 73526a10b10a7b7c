import { z } from "zod";
import { saveProfile } from "#app/domain/accounts/accounts.server.ts";
import { fail } from "#app/http/error-response.server.ts";
import { currentUser, memberOrToken } from "#app/http/guard.server.ts";
import { operation, serve, succeed, success } from "#app/http/operation.server.ts";
import { requirePicture } from "#app/http/picture-address.server.ts";
import { profileOnWire, profileRecord } from "#app/http/profile-answer.server.ts";
import { sameOrigin } from "#app/http/same-origin.server.ts";
import { firstOf, spelled, spellings } from "#app/http/spellings.server.ts";

export const middleware = [sameOrigin, memberOrToken];

const fields = z.object({
  ...spelled(spellings.avatar, z.string()),
  ...spelled(spellings.banner, z.string()),
  ...spelled(spellings.name, z.string()),
});

const save = operation("POST", {
  tag: "Profile",
  summary: "Use a picture as avatar or banner, or change the name",
  description: "The avatar's address as a bare JSON string, or an object with at least one of the fields.",
  body: z.union([z.string().transform((avatar) => ({ avatar })), fields]),
  answer: success(
    profileRecord.pick({ id: true, name: true, avatar_url: true, banner_image: true, updated_at: true }),
  ),
  handle: async ({ body, context }) => {
    const asked: z.output<typeof fields> = body;
    const [avatar, banner] = [firstOf(spellings.avatar, asked), firstOf(spellings.banner, asked)];
    const name = firstOf(spellings.name, asked);
    if (avatar === undefined && banner === undefined && name === undefined)
      throw fail("invalid", "avatar, banner_image or name is required");
    const outcome = await saveProfile(currentUser(context).id, {
      name,
      avatarUrl: avatar === undefined ? undefined : requirePicture(avatar, "avatar", context),
      bannerImage: banner === undefined ? undefined : requirePicture(banner, "banner_image", context),
    });
    if (!outcome.ok) return outcome;
    const { id, name: saved, avatar_url, banner_image, updated_at } = profileOnWire(outcome.value, context);
    return succeed({ id, name: saved, avatar_url, banner_image, updated_at });
  },
});

export const loader = serve(save);
export const action = loader;
