import { describe, expect, test } from "vitest";
import { deleteSessions } from "#app/domain/accounts/accounts.server.ts";
import { db } from "#db/client.server.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { formOf } from "#tests/support/requests/page-form.ts";
import { sendSlowly } from "#tests/support/requests/slow-body.ts";
import { type Member, newMember } from "#tests/support/requests/visitor.ts";

/** The picture forms, sent as a browser without scripts sends them. */

const picture = await plainPng(64, 64, "#10a040");

function send(member: Member, action: string, bytes: Uint8Array, accept = "text/html") {
  const body = new FormData();
  body.set("image", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "me.png");
  return member.request(action, { method: "POST", body, headers: { Accept: accept } });
}

/** The address that the picture form of a page sends to. */
async function actionOf(member: Member, page: string) {
  const action = /action="([^"]+)"/.exec(await formOf(member, page, "image"))?.[1] ?? "";
  return action.replaceAll("&amp;", "&");
}

const signUpStep = "/signup/profile?redirectTo=%2Flist%3Ftab%3Dall";

describe("a picture that is accepted", () => {
  test.each([signUpStep, "/profile/edit"])("sent from %s leads back there", async (page) => {
    const member = await newMember();
    const answer = await send(member, await actionOf(member, page), picture);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, page]);
  });

  test("never leads to another site", async () => {
    const member = await newMember();
    const action = `/profile/picture?kind=avatar&redirectTo=${encodeURIComponent("https://evil.example/")}`;
    expect((await send(member, action, picture)).headers.get("Location")).toBe("/");
  });
});

test.each(["avatar", "banner"])(
  "the %s can be removed by a button of its form, which then is gone",
  async (kind) => {
    const member = await newMember();
    const removal = async () => {
      const html = await (await member.request("/profile/edit")).text();
      const [, action] = new RegExp(`formAction="([^"]*kind=${kind}[^"]*)"`, "i").exec(html) ?? [];
      return action?.replaceAll("&amp;", "&");
    };
    expect(await removal()).toBeUndefined();
    await send(member, `/profile/picture?kind=${kind}`, picture);
    const answer = await member.request((await removal()) ?? "", { form: {} });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/profile/edit"]);
    expect(await removal()).toBeUndefined();
  },
);

test("a member whose session ends while the picture arrives must sign in again", async () => {
  const member = await newMember();
  const action = "/profile/picture?kind=avatar";
  const sent = { json: { image: picture.toString("base64") }, isAskedFor: true };
  const answer = await sendSlowly(member, action, sent, () => deleteSessions(member.id, {}, db));
  const signIn = `/signin?redirectTo=${encodeURIComponent(action)}`;
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, signIn]);
});

describe("a file that is no picture", () => {
  test.each([signUpStep, "/profile/edit"])(
    "sent from %s leads back there, and the page says beside the field what to do",
    async (page) => {
      const member = await newMember();
      const answer = await send(member, await actionOf(member, page), Buffer.from("not a picture"));
      expect(answer.status).toBe(303);
      const location = answer.headers.get("Location") ?? "";
      expect(location.startsWith(page)).toBe(true);
      const html = await (await member.request(location)).text();
      expect(html).toContain("This is not a picture that can be read. Choose another file");
      // The next picture leads back without the message.
      const next = await send(member, await actionOf(member, location), picture);
      expect(next.headers.get("Location")).toBe(page);
    },
  );

  test("is answered to a script as an error with its reason", async () => {
    const member = await newMember();
    const answer = await send(member, "/profile/picture?kind=banner", Buffer.from("no"), "application/json");
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(((await answer.json()) as { error: string }).error).not.toBe("");
  });
});
