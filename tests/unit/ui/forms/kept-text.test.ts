import { redirect } from "react-router";
import { expect, test } from "vitest";
import { keepText } from "#app/ui/forms/kept-text.ts";

const answerTo = (location: string) => keepText({ serverAction: () => Promise.reject(redirect(location)) });

test.each(["/signin?redirectTo=%2Fprofile%2Fedit", "/profiles?redirectTo=%2Fprofile%2Fedit"])(
  "a form stays on its page instead of leading to %s",
  async (location) => {
    expect(await answerTo(location)).toMatchObject({
      data: { message: expect.stringMatching(/^Not saved\./), issues: [] },
      init: { status: 401 },
    });
  },
);

test("a redirect after a save is followed", async () => {
  await expect(answerTo("/profile/edit?saved=1#save")).rejects.toBeInstanceOf(Response);
});
