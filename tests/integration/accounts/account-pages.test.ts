import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { credentials, sessions, users } from "#db/schema/accounts.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newSecretFor } from "#tests/support/data/mailed-token.ts";
import { addProfile, anotherBrowserOf, newChild, switchTo } from "#tests/support/requests/household.ts";
import { newMember, sessionOf, Visitor } from "#tests/support/requests/visitor.ts";

/** The account pages as a browser without JavaScript uses them: forms, redirects and HTML. */

const open = async (visitor: Visitor, path: string) => {
  const response = await visitor.request(path);
  return { response, html: await response.text() };
};
/** Every visible field has its own label, and no element has a style attribute, which the CSP would block. */
function expectLabeledForm(html: string) {
  const labels = new Set([...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
  const inputs = [
    ...html.matchAll(
      /<input(?![^>]*type="hidden")[^>]*\sid="([^"]+)"[^>]*name="(?:email|username|password|code)"/g,
    ),
  ];
  expect(inputs.length).toBeGreaterThan(0);
  for (const [tag, id] of inputs) expect(labels, tag).toContain(id);
  expect(html).not.toContain(" style=");
}

test.each(["constructor", "__proto__"])(
  "?error=%s and ?notice with the same word show the general error text",
  async (word) => {
    const member = await newMember();
    for (const [visitor, path] of [
      [new Visitor(), "/signin"],
      [new Visitor(), "/signup"],
      [member, "/settings"],
    ] as const) {
      const { response, html } = await open(visitor, `${path}?error=${word}&notice=${word}`);
      expect(response.status, path).toBe(200);
      expect(html, path).toContain("did not work. Try again shortly.");
    }
  },
);

test("after a refused password change, the page says what may be wrong", async () => {
  const member = await newMember();
  const answer = await member.request("/api/auth/password", {
    form: { current: "Wrong1!x", password: "Newpas1!" },
  });
  const { html } = await open(member, answer.headers.get("Location") ?? "");
  expect(html).toContain("Your current password is wrong, or the new one");
});

describe("/signin", () => {
  test("the form signs in and redirects to redirectTo, and a signed-in member is redirected at once", async () => {
    const member = await newMember();
    const visitor = new Visitor();
    const { response, html } = await open(visitor, "/signin?redirectTo=%2Flist%3Ftab%3Dall");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(html).toContain('name="redirectTo" value="/list?tab=all"');
    expectLabeledForm(html);
    const answer = await visitor.request("/signin", {
      form: { email: member.email, password: goodPassword, redirectTo: "/list?tab=all" },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe("/list?tab=all");
    expect((await sessionOf(visitor))?.user.id).toBe(member.id);
    const again = await visitor.request("/signin?redirectTo=/list");
    expect(again.headers.get("Location")).toBe("/list");
  });

  test("an address of another site as redirectTo is replaced with /", async () => {
    const redirectTo = "/\\evil.example";
    const member = await newMember();
    const visitor = new Visitor();
    const { html } = await open(visitor, `/signin?redirectTo=${encodeURIComponent(redirectTo)}`);
    expect(html).toContain('name="redirectTo" value="/"');
    const form = { email: member.email, password: goodPassword, redirectTo };
    expect((await visitor.request("/signin", { form })).headers.get("Location")).toBe("/");
  });

  test("wrong credentials get 401 and a page with the error and the email, without the password", async () => {
    const answer = await new Visitor().request("/signin", {
      form: { email: "some<b>body@example.org", password: "Wrong1!x" },
    });
    expect(answer.status).toBe(401);
    const html = await answer.text();
    expect(html).toContain('role="alert"');
    expect(html).toContain("Invalid email or password");
    expect(html).toContain('value="some&lt;b&gt;body@example.org"');
    expect(html).not.toContain("Wrong1!x");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("a visitor who wanted to add a title reads why to sign in and what happens then", async () => {
    const why = "make an account to keep a list. The title is then on it";
    const adding = encodeURIComponent("/anime/1/cowboy-bebop?add=1");
    expect((await open(new Visitor(), `/signin?redirectTo=${adding}`)).html).toContain(why);
    expect((await open(new Visitor(), `/signup?redirectTo=${adding}`)).html).toContain(
      "The title is then on your list",
    );
    expect((await open(new Visitor(), "/signin?redirectTo=%2Fschedule")).html).not.toContain(why);
  });

  test("a member who was sent back from the provider reads that the account may be disabled", async () => {
    const { html } = await open(new Visitor(), "/signin?error=provider-403");
    expect(html).toContain("or your account here is disabled");
  });

  test("the form states no password rules and sends any typed password", async () => {
    const { html } = await open(new Visitor(), "/signin");
    expect(html).not.toContain("an uppercase letter");
    expect(html).not.toContain("pattern=");
    expect((await open(new Visitor(), "/signup")).html).toContain("an uppercase letter");
  });

  test("a password that no account can have gets 401 like any wrong one, and its field says why", async () => {
    const answer = await new Visitor().request("/signin", { form: { email: "a@b.co", password: "short" } });
    expect(answer.status).toBe(401);
    const html = await answer.text();
    expect(html).toContain("Invalid email or password");
    expect(html).toMatch(/aria-invalid="true"/);
    expect(html).toContain("This cannot be a password of this site: it would need 6 to 20 characters");
  });

  test("a visitor who opened a member's page reads what the sign-in opens, and nothing of the address", async () => {
    for (const [path, text] of [
      ["/list", "Sign in to open your list."],
      ["/history?q=%3Cb%3Efilm", "Sign in to open your history."],
      ["/settings/tokens", "Sign in to open your settings."],
      ["/admin/users", "Sign in to open the administration."],
    ] as const) {
      const answer = await new Visitor().request(path);
      expect((await open(new Visitor(), answer.headers.get("Location") ?? "")).html, path).toContain(text);
    }
    for (const path of ["/", "/schedule", "/constructor", "/listen", "//list", "https://evil.example/list"])
      expect(
        (await open(new Visitor(), `/signin?redirectTo=${encodeURIComponent(path)}`)).html,
      ).not.toContain("Sign in to open");
  });

  test("a member whose session has ended reads that it has, and comes back to the page", async () => {
    const member = await newMember();
    await db.delete(sessions).where(eq(sessions.userId, member.id));
    const answer = await member.request("/anime/1", { form: { intent: "favorite", mal_id: "1" } });
    const { html } = await open(member, answer.headers.get("Location") ?? "");
    expect(html).toContain("Your session has ended. Sign in again.");
    expect(html).toContain('name="redirectTo" value="/anime/1"');
    expect((await open(new Visitor(), "/signin")).html).not.toContain("Your session has ended");
    const reset = await open(member, "/signin?notice=password-set");
    expect(reset.html).not.toContain("Your session has ended");
  });

  test("?error=401 shows its text, and an unknown error shows the general text", async () => {
    expect((await open(new Visitor(), "/signin?error=401")).html).toContain("Invalid email or password");
    expect((await open(new Visitor(), "/signin?error=%3Cscript%3E")).html).toContain(
      "Signing in did not work",
    );
  });

  test("a sign-in attempt counts toward the endpoint's limiter, and a visit does not", async () => {
    const visitor = new Visitor();
    const form = { email: "a@b.co", password: "short" };
    const first = await visitor.request("/signin", { form });
    expect(first.headers.get("X-RateLimit-Remaining")).toBe("99");
    await visitor.request("/signin");
    const second = await visitor.request("/api/auth/signin", { json: { email: [] } });
    expect(second.headers.get("X-RateLimit-Remaining")).toBe("98");
  });

  test("a post from another site is refused and starts no session", async () => {
    const member = await newMember();
    const visitor = new Visitor();
    for (const from of ["https://evil.example", "null"]) {
      const answer = await visitor.request("/signin", {
        form: { email: member.email, password: goodPassword },
        headers: { Origin: from },
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(await sessionOf(visitor)).toBeNull();
  });
});

describe("/signup", () => {
  test("the form creates the account and redirects to the profile step", async () => {
    const visitor = new Visitor();
    const { response, html } = await open(visitor, "/signup?redirectTo=/anime/1");
    expect(response.status).toBe(200);
    expectLabeledForm(html);
    for (const rule of ["6 to 20 characters", "an uppercase letter", "one of ! @ #"])
      expect(html).toContain(rule);
    const answer = await visitor.request("/signup", {
      form: { username: "Yui", email: "yui@example.org", password: goodPassword, redirectTo: "/anime/1" },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe("/signup/profile?redirectTo=%2Fanime%2F1");
    expect(await sessionOf(visitor)).not.toBeNull();
  });

  test("the name of the first step fills the same field of the second and of the profile", async () => {
    const visitor = new Visitor();
    const nameLabel = /<label for="[^"]+">Name<\/label>/;
    expect((await open(visitor, "/signup")).html).toMatch(nameLabel);
    const form = { username: "Ritsu", email: "tainaka@example.org", password: goodPassword };
    await visitor.request("/signup", { form });
    for (const path of ["/signup/profile", "/profile/edit"]) {
      const { html } = await open(visitor, path);
      expect(html, path).toMatch(nameLabel);
      expect(/<input[^>]*name="name"[^>]*>/.exec(html)?.[0], path).toContain('value="Ritsu"');
    }
  });

  test("a new member is led to the first step that is not done, and a finished one to the target", async () => {
    const member = await newMember();
    const next = async (path = "/signup") => (await member.request(path)).headers.get("Location");
    expect(await next("/signup?redirectTo=/list")).toBe("/signup/profile?redirectTo=%2Flist");
    await member.request("/signup/profile", { form: { name: "Mugi", last_name: "Kotobuki" } });
    expect(await next()).toBe("/signup/tastes");
    await member.request("/signup/tastes", { form: { "genre:Comedy": "on" } });
    expect([await next(), await next("/signup?redirectTo=/list")]).toEqual(["/", "/list"]);
  });

  test("a member who skipped the steps is led to the target once the account is not new", async () => {
    const member = await newMember();
    const createdAt = new Date(Date.now() - 11 * 60_000);
    await db.update(users).set({ createdAt }).where(eq(users.id, member.id));
    for (const [path, target] of [
      ["/signup", "/"],
      ["/signup?redirectTo=/list", "/list"],
    ] as const)
      expect((await member.request(path)).headers.get("Location")).toBe(target);
  });

  test("an invalid form gets 400 with a message at each field", async () => {
    const broken = await new Visitor().request("/signup", {
      form: { username: "ab", email: "nowhere", password: "weak" },
    });
    expect(broken.status).toBe(400);
    const html = await broken.text();
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(html).toContain('value="nowhere"');
  });

  test("an email in use gets 409, is said once, and the field leads to signing in and to a new password", async () => {
    const member = await newMember();
    const taken = await new Visitor().request("/signup?redirectTo=/list", {
      form: { username: "Somebody", email: member.email, password: goodPassword },
    });
    expect(taken.status).toBe(409);
    const page = (await taken.text()).split("<main")[1]?.split("</main>")[0] ?? "";
    expect(page.match(/already in use/g)).toHaveLength(1);
    const error = /<p class="field-error".*?<\/p>/s.exec(page)?.[0];
    expect(error).toContain('href="/signin?redirectTo=%2Flist"');
    expect(error).toContain('href="/reset"');
  });
});

describe("/profile", () => {
  test("a member's profile links to list, history and settings but not to /admin, and its form signs out", async () => {
    const member = await newMember();
    const { html } = await open(member, "/profile");
    for (const path of ["/list", "/history", "/settings", "/profile/edit"])
      expect(html.split("<main")[1]).toContain(`href="${path}"`);
    expect(html).not.toContain('href="/admin"');
    expect(html).toContain('<form action="/api/auth/signout" method="post">');
    const out = await member.request("/api/auth/signout", { form: {} });
    expect(out.status).toBe(302);
    expect(out.headers.get("Location")).toBe("/");
    expect(await sessionOf(member)).toBeNull();
  });
});

describe("/profile/edit", () => {
  /** The fields that a browser sends when only the name is filled in. */
  const untouched = {
    name: " Yui ",
    last_name: "",
    birthday: "",
    gender: "",
    add_studios: "",
    frequency: "",
    fanatic_level: "",
    preferred_format: "",
  };
  const profileOf = async (member: Visitor) =>
    (await (await member.request("/api/user/profile")).json()) as { data: Record<string, unknown> };

  test("optional fields may be empty, and an empty field clears the saved value", async () => {
    const member = await newMember();
    const full = {
      ...untouched,
      last_name: "Hirasawa",
      birthday: "1991-11-27",
      add_studios: "Madhouse, Bones",
      "genre:Comedy": "on",
    };
    for (const [form, about] of [
      [full, { name: "Yui", last_name: "Hirasawa", birthday: "1991-11-27" }],
      [untouched, { name: "Yui", last_name: null, birthday: null }],
    ] as const) {
      const saved = await member.request("/profile/edit", { form });
      expect([saved.status, saved.headers.get("Location")]).toEqual([302, "/profile/edit?saved=1#save"]);
      expect((await profileOf(member)).data).toMatchObject(about);
    }
  });

  test("an invalid birthday gets 400, and the form keeps what was typed", async () => {
    const member = await newMember();
    const refused = await member.request("/profile/edit", { form: { ...untouched, birthday: "2999-01-01" } });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain('value="2999-01-01"');
    expect(html).toContain('aria-invalid="true"');
  });
});

describe("/reset", () => {
  test("without a mail server, the page names the operators' page and has no form", async () => {
    const { html } = await open(new Visitor(), "/reset");
    expect(html).toContain("Operators make it on their page");
    expect(html).not.toContain('name="email"');
  });

  test("a reset link sets a new password once, and then its page says that it was used", async () => {
    const member = await newMember();
    const token = await newSecretFor(member, "reset");
    const visitor = new Visitor();
    const { html } = await open(visitor, `/reset?token=${token}`);
    expectLabeledForm(html);
    const weak = await visitor.request(`/reset?token=${token}`, {
      form: { intent: "confirm", token, password: "weak" },
    });
    expect(weak.status).toBe(400);
    const set = await visitor.request(`/reset?token=${token}`, {
      form: { intent: "confirm", token, password: "Xyz987!a" },
    });
    expect(set.headers.get("Location")).toBe("/signin?notice=password-set");
    expect((await open(visitor, "/signin?notice=password-set")).html).toContain("Your new password is set");
    expect((await open(visitor, `/reset?token=${token}`)).html).toContain("This link was used already");
  });

  test("a member whose password was removed reads why and can set a new one", async () => {
    const member = await newMember();
    await db.delete(credentials).where(eq(credentials.userId, member.id));
    const { html } = await open(member, "/reset?notice=password-removed&redirectTo=/list");
    expect(html).toContain("Somebody else may have set its password");
    const set = await member.request("/reset", {
      form: { intent: "set", password: "Xyz987!a", redirectTo: "/list" },
    });
    expect(set.headers.get("Location")).toBe("/list");
    expect(await sessionOf(member)).not.toBeNull();
    const answer = await new Visitor().request("/api/auth/signin", {
      json: { email: member.email, password: "Xyz987!a" },
    });
    expect(answer.status).toBe(200);
  });

  test("only the owner sets the password of a household that signs in through the provider", async () => {
    const { owner, child } = await newChild("pg");
    const second = await anotherBrowserOf(owner);
    await switchTo(second, await addProfile(owner, "Second"));
    await db.delete(credentials).where(eq(credentials.userId, owner.id));
    const expectRefusal = async (visitor: Visitor) => {
      expect((await open(visitor, "/reset")).html).not.toContain('name="password"');
      const form = { intent: "set", password: "Xyz987!a" };
      expect((await visitor.request("/reset", { form })).status).toBe(403);
      expect(await db.$count(credentials, eq(credentials.userId, owner.id))).toBe(0);
    };
    await expectRefusal(child);
    await expectRefusal(second);
    await db.update(sessions).set({ asksWho: true }).where(eq(sessions.userId, owner.id));
    await expectRefusal(owner);
  });

  test("a member who has a password gets 400, and a visitor gets 401", async () => {
    const member = await newMember();
    const form = { intent: "set", password: "Xyz987!a" };
    expect((await member.request("/reset", { form })).status).toBe(400);
    expect((await new Visitor().request("/reset", { form })).status).toBe(401);
  });
});

describe("/verify", () => {
  test("opening the link changes nothing, and pressing its button verifies the email once", async () => {
    const member = await newMember();
    const token = await newSecretFor(member, "verification");
    const verifiedAt = async () =>
      (await db.select().from(users).where(eq(users.id, member.id)))[0]?.emailVerifiedAt;
    const visitor = new Visitor();
    expect((await open(visitor, `/verify?token=${token}`)).html).toContain("Confirm the address");
    expect(await verifiedAt()).toBeNull();
    const answer = await visitor.request("/verify", { form: { token } });
    expect(answer.headers.get("Location")).toBe("/verify?notice=verified");
    expect(await verifiedAt()).not.toBeNull();
    expect((await visitor.request("/verify", { form: { token } })).status).toBe(400);
  });
});
