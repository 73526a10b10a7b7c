import sharp from "sharp";
import { expect, test } from "vitest";
import { formOf, untouchedFields } from "#tests/support/requests/page-form.ts";
import { newMember } from "#tests/support/requests/visitor.ts";

test.each([
  [
    "/signup/profile?redirectTo=%2Flist%3Ftab%3Dall",
    undefined,
    "/signup/profile?redirectTo=%2Flist%3Ftab%3Dall",
  ],
  ["/profile/edit", undefined, "/profile/edit"],
  ["/profile/edit", "https://evil.example/", "/"],
  ["/profile/edit", "", "/profile/edit"],
])("a picture sent from %s with redirectTo %j leads back to %s", async (page, redirectTo, target) => {
  const member = await newMember();
  const fields = untouchedFields(await formOf(member, page, "isBanner"));
  if (redirectTo !== undefined) fields.set("redirectTo", redirectTo);
  const body = new FormData();
  for (const [name, value] of fields) body.set(name, value);
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#10a040" } })
    .png()
    .toBuffer();
  body.set("image", new Blob([new Uint8Array(picture)], { type: "image/png" }), "me.png");
  const answer = await member.request("/profile/picture", { method: "POST", body });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, target]);
});
