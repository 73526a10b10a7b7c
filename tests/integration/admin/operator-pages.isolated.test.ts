import { and, eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { postForm } from "#tests/support/requests/response-data.ts";
import type { Member } from "#tests/support/requests/visitor.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The operator's pages: who may open them, and what each form does. */

const folder = temporaryFolder("admin-films");
process.env.MEDIA_DIR = folder;
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { db, withTransaction } = await import("#db/client.server.ts");
const { mailedTokens, users } = await import("#db/schema/accounts.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { episodes, episodeSources } = await import("#db/schema/episodes.ts");
const { changeAccount, deleteSessions } = await import("#app/domain/accounts/accounts.server.ts");
const { commandLine, listEvents } = await import("#app/domain/events/events.server.ts");
const { untilQueriesWait } = await import("#tests/support/database/lock-waits.ts");
const { sendSlowly } = await import("#tests/support/requests/slow-body.ts");
const { getEpisode } = await import("#app/domain/catalog/catalog.server.ts");
const { catalogKeeper } = await import("#app/domain/visibility/visibility.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { listSourceHeaders } = await import("#app/domain/proxy/proxy.server.ts");
const { listSources, listSubtitles, recordFailedPlay } = await import(
  "#app/domain/playback/playback.server.ts"
);
const { runRequestedScans } = await import("#app/domain/scanning/scanning.server.ts");

const pages = [
  "/admin",
  "/admin/users",
  "/admin/episode?id=1&episode=1",
  "/admin/films",
  "/admin/films/decide?folder=",
  "/admin/hidden",
  "/admin/wishes",
  "/admin/title",
  "/admin/title?id=900000001",
  "/admin/feeds",
  "/admin/events",
];
const operator = await newOperator();

async function open(path: string): Promise<string> {
  const response = await operator.request(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  const html = await response.text();
  expect(html).not.toContain(" style=");
  return html;
}

const post = (path: string, form: Record<string, string>, status?: number) =>
  postForm(operator, path, form, status);

describe("access", () => {
  test.each(pages)("a visitor at %s is redirected to sign in, and then back", async (path) => {
    const visitor = new Visitor();
    const response = await visitor.request(path);
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(`/signin?redirectTo=${encodeURIComponent(path)}`);
    for (const form of [{ intent: "skips" }, { intent: "register-sure" }])
      expect((await visitor.request(path, { form })).headers.get("Location")).toMatch(/^\/signin/);
  });

  test.each(pages)(
    "a member at %s gets 403 with a page for operators only, for GET, POST and data requests",
    async (path) => {
      const member = await newMember();
      const data = path.replace(/(\?|$)/, ".data$1");
      for (const attempt of [{}, { form: { intent: "promote", id: member.id } }]) {
        const response = await member.request(path, attempt);
        expect(response.status).toBe(403);
        const html = await response.text();
        expect(html).toContain("For operators only");
        expect(html).not.toContain("Hidden by parental control");
        // The page header shows the member as signed in, although the route refused the request.
        expect(html).toContain('href="/profile"');
        expect(html).not.toContain("/signin");
        const answer = await member.request(data, attempt);
        expect(answer.status).toBe(403);
        expect(await answer.text()).not.toContain(operator.email);
      }
      const [row] = await db.select({ role: users.role }).from(users).where(eq(users.id, member.id));
      expect(row?.role).toBe("user");
    },
  );

  test("a form from another site gets 403 and changes nothing", async () => {
    const victim = await newMember();
    const response = await operator.request("/admin/users", {
      form: { intent: "promote", id: victim.id },
      headers: { Origin: "https://evil.example" },
    });
    expect(response.status).toBe(403);
    const [row] = await db.select({ role: users.role }).from(users).where(eq(users.id, victim.id));
    expect(row?.role).toBe("user");
  });

  test("an operator's profile links to /admin, and a member's does not", async () => {
    expect(await open("/profile")).toContain('href="/admin"');
    const member = await newMember();
    expect(await (await member.request("/profile")).text()).not.toContain('href="/admin"');
  });
});

test("a failed play is listed with a link to its episode", async () => {
  const malId = await someTitle({ episodes: 3 });
  const fail = async (episode: number, url: string, played: string) => {
    await db.insert(episodes).values({ malId, number: episode });
    await db.insert(episodeSources).values({ malId, episode, url, type: "mp4" });
    await recordFailedPlay({ malId, episode, played, reason: "expired" }, catalogKeeper);
  };
  await fail(2, "https://films.example/<2>.mp4", "https://films.example/<2>.mp4");
  const html = await open("/admin");
  expect(html).toContain("https://films.example/&lt;2&gt;.mp4");
  expect(html).toContain("expired");
  expect(html).toContain(`href="/admin/episode?id=${malId}&amp;episode=2"`);
  await fail(3, "media:Show/03.mp4", "media:Show/03.mp4");
  expect(await open("/admin")).toContain(">Show/03.mp4<");
});

describe("users", () => {
  const at = (member: Member) => `/admin/users?after=${encodeURIComponent(member.email.slice(0, -1))}`;

  test("?after=EMAIL lists the accounts after it, with buttons", async () => {
    const member = await newMember();
    const html = await open(at(member));
    expect(html).toContain(member.email);
    expect(html).toContain(`: make an operator: ${member.email}`);
    expect(html).toMatch(/<td[^>]*>Member<\/td>/);
    // This site sends no mail, so nobody could confirm an address.
    expect(html).not.toContain("not confirmed");
    expect(await open("/admin/users?after=zzzz")).toContain("No more accounts.");
  });

  test("?q=WORDS lists the accounts whose e-mail address or name contains the words", async () => {
    const [member, other] = [await newMember(), await newMember()];
    await db.insert(users).values({ accountId: member.id, name: "Mio_100%", username: "Mio_100%" });
    for (const words of [member.email.toUpperCase(), "mio_100%"]) {
      const html = await open(`/admin/users?q=${encodeURIComponent(words)}`);
      expect(html).toContain(member.email);
      expect(html).not.toContain(other.email);
    }
    expect(await open("/admin/users?q=_%25")).not.toContain(other.email);
    const label = /<label><span>(?:(?!<\/label>).)*name="q"/s.exec(await open("/admin/users"))?.[0];
    expect(label).toContain("E-mail address or name</span>");
    expect(label).not.toContain("required");
    expect(await open("/admin/users?q=nobody-at-all")).toContain(
      "No account has “nobody-at-all” in its address or name.",
    );
  });

  test("promote lets a member open /admin, and demote ends that", async () => {
    const member = await newMember();
    await post("/admin/users", { intent: "promote", id: member.id });
    expect((await member.request("/admin")).status).toBe(200);
    await post("/admin/users", { intent: "demote", id: member.id });
    expect((await member.request("/admin")).status).toBe(403);
  });

  test("disable ends a member's session and blocks sign-in, and enable allows it again", async () => {
    const member = await newMember();
    await post("/admin/users", { intent: "disable", id: member.id });
    expect((await member.request("/list")).status).toBe(302);
    const { email, password } = member;
    const signIn = () => new Visitor().request("/api/auth/signin", { json: { email, password } });
    expect((await signIn()).ok).toBe(false);
    await post("/admin/users", { intent: "enable", id: member.id });
    expect((await signIn()).status).toBe(200);
  });

  test("granting or taking rights is confirmed in words before its button is shown", async () => {
    const member = await newMember();
    const html = (await open(at(member))).replaceAll("<!-- -->", "");
    for (const label of ["Make an operator", "Disable"]) {
      const [, asked = ""] = html.split(`${label}<span class="visually-hidden">: ${member.email}</span>`);
      expect(asked.split("</details>")[0]).toContain(`Yes: ${label.toLowerCase()}: ${member.email}`);
    }
  });

  test("an operator makes a link with which a member sets a new password once", async () => {
    const member = await newMember();
    const html = await post("/admin/users", { intent: "reset-link", email: member.email });
    const [, path = ""] = / value="https?:\/\/[^/]+(\/reset\?token=[^"]+)"/.exec(html) ?? [];
    const token = new URL(path, "http://site").searchParams.get("token") ?? "";
    const form = { intent: "confirm", token, password: "Xyz987!a" };
    expect((await new Visitor().request("/reset", { form })).status).toBe(302);
    const signIn = { email: member.email, password: "Xyz987!a" };
    expect((await new Visitor().request("/api/auth/signin", { json: signIn })).status).toBe(200);
    await post("/admin/users", { intent: "reset-link", email: "nobody@example.org" }, 404);
  });

  test("an operator who demotes or disables themselves gets 409, an unknown member 404 and an unknown intent 400", async () => {
    for (const intent of ["demote", "disable"])
      expect(await post("/admin/users", { intent, id: operator.id }, 409)).toContain("another operator");
    await open("/admin/users");
    const unknownId = "00000000-0000-4000-8000-000000000000";
    await post("/admin/users", { intent: "promote", id: unknownId }, 404);
    await post("/admin/users", { intent: "crown", id: operator.id }, 400);
  });
});

describe("an operator who loses the role while a form arrives", () => {
  const change = { id: "", email: "", name: "Chief", role: "operator", confirmed: "1" };

  /** The other account's row and its number of reset links, and the number of accounts with the new email. */
  const stateOf = async ({ id }: Member, email: string) => [
    await db.select({ role: users.role, disabled: users.disabled }).from(users).where(eq(users.id, id)),
    await db.$count(mailedTokens, eq(mailedTokens.userId, id)),
    await db.$count(users, eq(users.email, email)),
  ];

  test.each(["promote", "disable", "reset-link", "create"])(
    "gets 403 with the page for operators only, and %s changes nothing",
    async (intent) => {
      const [former, other] = [await newOperator(), await newMember()];
      const newEmail = `made-by-${former.email}`;
      const email = intent === "create" ? newEmail : other.email;
      const before = await stateOf(other, newEmail);
      const answer = await sendSlowly(
        former,
        "/admin/users",
        { form: { ...change, intent, id: other.id, email } },
        () => changeAccount(former.id, { role: "user" }, commandLine),
      );
      const html = await answer.text();
      expect(answer.status, html.slice(0, 500)).toBe(403);
      expect(html).toContain("For operators only");
      expect(html).not.toContain(operator.email);
      expect(await stateOf(other, newEmail)).toEqual(before);
    },
  );

  test.each([
    ["/admin/films", "form"],
    ["/admin/films/programs", "form"],
    ["/admin/episode?id=1&episode=1", "form"],
    ["/admin/hidden", "form"],
    ["/admin/title?id=1", "form"],
    ["/admin/feeds", "form"],
    ["/admin/details", "form"],
    ["/admin/invitations", "form"],
    ["/admin/setup", "form"],
    ["/admin/catalog-file", "json"],
  ])(
    "gets 403 at %s before its %s is read, and must sign in again if the session has ended",
    async (path, body) => {
      const sent = { [body]: { intent: "none" }, isAskedFor: true };
      const demoted = await newOperator();
      const demote = () => changeAccount(demoted.id, { role: "user" }, commandLine);
      const refused = await sendSlowly(demoted, path, sent, demote);
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain("For operators only");
      const signedOut = await newOperator();
      const answer = await sendSlowly(signedOut, path, sent, () => deleteSessions(signedOut.id, {}, db));
      expect([answer.status, answer.headers.get("Location")]).toEqual([
        302,
        `/signin?redirectTo=${encodeURIComponent(path)}`,
      ]);
    },
  );

  test("must sign in again if the session has ended, and changes nothing", async () => {
    const [former, other] = [await newOperator(), await newMember()];
    const before = await stateOf(other, "");
    const answer = await sendSlowly(
      former,
      "/admin/users",
      { form: { ...change, intent: "promote", id: other.id } },
      () => deleteSessions(former.id, {}, db),
    );
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      302,
      "/signin?redirectTo=%2Fadmin%2Fusers",
    ]);
    expect(await stateOf(other, "")).toEqual(before);
  });

  test("cannot demote the operator who demotes them at the same time", async () => {
    const both = [await newOperator(), await newOperator()] as const;
    const demote = (by: Member, { id }: Member) =>
      by.request("/admin/users", { form: { intent: "demote", id } });
    const { answers } = await withTransaction(async (transaction) => {
      const ids = both.map(({ id }) => id);
      await transaction.select().from(users).where(inArray(users.id, ids)).for("update");
      const answers = [demote(both[0], both[1]), demote(both[1], both[0])];
      await untilQueriesWait(2);
      return { answers };
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 403]);
    const isLeft = and(
      inArray(
        users.id,
        both.map(({ id }) => id),
      ),
      eq(users.role, "operator"),
    );
    expect(await db.$count(users, isLeft)).toBe(1);
  });
});

describe("an episode's sources, subtitles and skip segments", () => {
  const source = { intent: "add-source", type: "from-url", label: "", language: "" };

  test("headers of a source are saved; a secret one is never shown, kept by an empty field and removed by its box", async () => {
    const at = { malId: await someTitle({ episodes: 1 }), episode: 1 };
    const path = `/admin/episode?id=${at.malId}&episode=1`;
    await post(path, { ...source, url: "https://films.example/1.m3u8" });
    const [created] = await listSources(at);
    const namesNow = async () => (await listSourceHeaders(at)).get(created!.id)?.map(({ name }) => name);
    const form = { intent: "headers", id: created!.id, Origin: "", "User-Agent": "", Authorization: "" };
    const referer = "https://page.example/";
    const saved = await post(path, { ...form, Referer: referer, Cookie: "sid=operator-secret" });
    expect(saved).toContain("The headers are saved.");
    const html = await open(path);
    for (const text of [saved, html, await (await operator.request(path.replace("?", ".data?"))).text()]) {
      expect(text).toContain(referer);
      expect(text).not.toContain("operator-secret");
    }
    expect(html).toContain("remove-Cookie");
    expect(await post(path, { ...form, Cookie: "sïd=operator-secret" }, 400)).not.toContain(
      "operator-secret",
    );

    await post(path, { ...form, Referer: "", Cookie: "" });
    expect(await namesNow()).toEqual(["Cookie"]);
    await post(path, { ...form, Cookie: "", "remove-Cookie": "on" });
    expect(await namesNow()).toBeUndefined();

    await post(path, { ...form, Referer: referer });
    const edit = {
      intent: "edit-source",
      id: created!.id,
      type: "hls",
      label: "",
      language: "",
      position: "0",
    };
    const moved = await post(path, { ...edit, url: "https://other.example/1.m3u8" });
    expect(moved).toContain("Its headers are deleted");
    expect(await namesNow()).toBeUndefined();
  });

  test("sources are added, edited and removed; a URL in use gets 409 and an unsafe one 400", async () => {
    const malId = await someTitle({ episodes: 2 });
    const path = `/admin/episode?id=${malId}&episode=2`;
    await post(path, { ...source, url: "https://films.example/2.m3u8" });
    await post(path, {
      ...source,
      url: "https://films.example/2.mp4",
      label: "Mirror",
      language: "ja",
      type: "file",
    });
    const [first, second] = await listSources({ malId, episode: 2 });
    expect(first).toMatchObject({ type: "hls", label: null, language: null, position: 0 });
    expect(second).toMatchObject({ type: "file", label: "Mirror", language: "ja", position: 1 });
    expect(await open(path)).toContain("https://films.example/2.m3u8");

    const edit = {
      intent: "edit-source",
      id: second!.id,
      url: "media:Show/02.mp4",
      type: "mp4",
      label: "",
      language: "en",
      position: "5",
    };
    await post(path, edit);
    const [, edited] = await listSources({ malId, episode: 2 });
    expect(edited).toMatchObject({
      url: "media:Show/02.mp4",
      type: "mp4",
      label: null,
      language: "en",
      position: 5,
    });
    expect(await post(path, { ...edit, url: first!.url }, 409)).toContain(
      "already has a video at this address",
    );
    expect(await post(path, { ...edit, url: "javascript:alert(1)" }, 400)).toContain("media:PATH");
    await post(path, { intent: "remove-source", id: first!.id });
    await post(path, { intent: "remove-source", id: first!.id }, 404);
    expect((await listSources({ malId })).map(({ id }) => id)).toEqual([second!.id]);
  });

  test("a title is found by its name, and opened at the first episode if the number is not one", async () => {
    const malId = await someTitle();
    await importTitles([{ mal_id: malId, title: "Lantern Uphill" }]);
    const address = (episode: number) => `href="/admin/episode?id=${malId}&amp;episode=${episode}"`;
    const findAt = (episode: string) => open(`/admin/episode?id=Lantern+Uphill&episode=${episode}`);
    expect(await findAt("7")).toContain(address(7));
    expect(await findAt("x")).toContain(address(1));
  });

  test("subtitles are added and removed, and a missing language gets 400 with the reason", async () => {
    const malId = await someTitle({ episodes: 1 });
    const path = `/admin/episode?id=${malId}&episode=1`;
    const subtitles = { intent: "add-subtitles", url: "/film/1/en.vtt", language: "en", label: "English" };
    await post(path, subtitles);
    await post(path, { ...subtitles, language: "" }, 400);
    expect(await post(path, { ...subtitles, language: "e" }, 400)).toContain(
      "language needs a code such as en",
    );
    const [known] = await listSubtitles({ malId });
    expect(known).toMatchObject({ url: "/film/1/en.vtt", language: "en", label: "English" });
    await post(path, { intent: "remove-subtitles", id: known!.id });
    expect(await listSubtitles({ malId })).toEqual([]);
  });

  test("skip segments are saved together, a cleared one is removed, and invalid times get 400", async () => {
    const malId = await someTitle({ episodes: 1 });
    const path = `/admin/episode?id=${malId}&episode=1`;
    const intro = { "kind:0": "intro", "start:0": "0", "end:0": "1:30" };
    const outro = { "kind:1": "outro", "start:1": "1300", "end:1": "1390" };
    const skips = async () => {
      const episode = await getEpisode(malId, 1, catalogKeeper);
      return episode.ok ? episode.value.skipSegments.map(({ kind, start, end }) => [kind, start, end]) : null;
    };
    await post(path, { intent: "skips", ...intro, ...outro });
    expect(await skips()).toEqual([
      ["intro", 0, 90],
      ["outro", 1300, 1390],
    ]);
    await post(path, { intent: "skips", ...intro, ...outro, "start:0": "", "end:0": "" });
    expect(await skips()).toEqual([["outro", 1300, 1390]]);
    expect(await post(path, { intent: "skips", ...outro, ...intro, "end:0": "0" }, 400)).toContain(
      "after it starts",
    );
    expect(await post(path, { intent: "skips", ...intro, "end:0": "later" }, 400)).toContain("1:30");
    expect(await skips()).toEqual([["outro", 1300, 1390]]);
  });

  test.each([
    "?id=2147483647&episode=1",
    "?id=x&episode=1",
    "?id=99999999999999&episode=1",
    "?id=1&episode=0",
  ])(
    "an unknown title or invalid episode gets a page that says so, and its form an error: %s",
    async (query) => {
      expect(await open(`/admin/episode${query}`)).toContain("The catalog has no title");
      const status = query.includes("episode=0") ? [400, 404] : [404];
      const response = await operator.request(`/admin/episode${query}`, {
        form: { ...source, url: "/film/1/film.webm" },
      });
      expect(status).toContain(response.status);
    },
  );
});

/** The addresses that the page's own forms post to, each once. The forms of the header and the footer are left out. */
const postTargetsIn = (html: string) => {
  const forms = html.split(/<\/?main\b/)[1]?.match(/<form [^>]*method="post"[^>]*>/g) ?? [];
  return [...new Set(forms.map((form) => /action="([^"]*)"/.exec(form)?.[1]))];
};

test("a scan registers films whose match is sure, and the page decides the others", async () => {
  const [malId, other] = [40_000_001, await someTitle()];
  // Names are matched in the search index, which an import fills.
  await importTitles([
    { kind: "title", mal_id: malId, title: "Quiet Porch Stories", title_japanese: "静かな縁側", episodes: 2 },
  ]);
  for (const film of [
    "Quiet Porch Stories/01.mp4",
    "Quiet Porch Stories/01.en.vtt",
    "Quiet Porch Stories/Specials/SP01.webm",
    "Zzyzx Unheard Of - 04.webm",
    "Zzyzx/05.webm",
    "Zzyzx/06.webm",
  ])
    writeOldFilm(folder, film, "film");
  const shown = async () => (await open("/admin/films")).replaceAll("<!-- -->", "");
  expect(await post("/admin/films", { intent: "scan" })).toContain("A scan begins");
  await runRequestedScans({});
  expect(await listSources({ malId })).toMatchObject([
    { episode: 1, url: "media:Quiet Porch Stories/01.mp4" },
  ]);
  expect(await listSubtitles({ malId })).toMatchObject([{ episode: 1, language: "en" }]);
  const html = await shown();
  expect(html).toContain("4 to decide");
  expect(html).toContain("5 videos found, 5 looked up");
  expect(html).toContain("Perhaps Quiet Porch Stories, a special (no episode number)");
  expect(html).toMatch(/<a [^>]*aria-label="Another title: [^"]*SP01\.webm"[^>]*>Another title…</);
  expect(html).not.toContain('data-kind="primary"');
  const [, match = "", proposed = ""] =
    /<input[^>]*name="(match-[\da-f-]{36})"[^>]*value="([\d ]+)"/.exec(html) ?? [];
  expect(proposed).toBe(String(malId));
  expect(html).not.toMatch(/<input[^>]*name="match-[^>]*checked/);
  expect(await open("/admin/films?select=all")).toMatch(/<input[^>]*name="match-[^>]*checked/);
  expect(await post("/admin/films", { intent: "accept" })).toContain("No match is selected.");
  const accepted = await post("/admin/films", { intent: "accept", [match]: proposed, "match-x": proposed });
  expect(accepted).toContain("1 match accepted.");
  expect(accepted).toContain("1 match could not be saved");
  expect(accepted).toMatch(/<button[^>]*value="undo"[^>]*aria-label="Undo: 1 match accepted/);
  expect(html.slice(html.indexOf("Missing episodes"))).toMatch(/Quiet Porch Stories.*?<td>2 of 2<\/td>/);

  const [link = ""] = /<a [^>]*Choose the title: Zzyzx Unheard[^>]*>/.exec(html) ?? [];
  const film = /film=([\da-f-]{36})/.exec(link)?.[1] ?? "";
  const choice = await open(`/admin/films/decide?film=${film}&q=quiet+porch`);
  expect(choice).toContain("Quiet Porch Stories");
  expect(postTargetsIn(choice)).toEqual(["/admin/films"]);
  // The title has no fourth episode, so the number in the file's name is not proposed.
  expect(/<form [^>]*aria-label="Quiet Porch Stories".*?<\/form>/s.exec(choice)?.[0]).toMatch(
    /<input [^>]*name="episode"[^>]*value=""/,
  );
  expect(choice).toContain(">2 episodes<");
  // The setup's own link leads back to the setup, also after another search.
  const fromSetup = await open(`/admin/films/decide?film=${film}&q=quiet+porch&from=setup`);
  expect(postTargetsIn(fromSetup)).toEqual(["/admin/setup?step=found"]);
  expect(fromSetup).toMatch(/<a [^>]*href="\/admin\/setup\?step=found"[^>]*>Cancel</);
  expect(fromSetup).toContain('<input type="hidden" name="from" value="setup"/>');
  // An operator who never chose a language for titles follows the browser.
  for (const path of ["/admin/films", `/admin/films/decide?film=${film}&q=quiet+porch`]) {
    const inJapanese = await operator.request(path, { headers: { "Accept-Language": "ja" } });
    expect(await inJapanese.text(), path).toContain("静かな縁側");
  }
  const byHand = { intent: "title", film };
  await post("/admin/films", { ...byHand, id: "", episode: "4" }, 400);
  await post("/admin/films", { ...byHand, id: "2147483647", episode: "4" }, 404);
  await post("/admin/films", { ...byHand, id: "2147483648", episode: "4" }, 400);
  expect(await post("/admin/films", { ...byHand, id: String(malId), episode: "4" }, 400)).toContain(
    "Quiet Porch Stories has no episode 4, but only 2.",
  );
  await post("/admin/films", { ...byHand, id: String(other), episode: "4", last: "" });
  expect(await open("/admin/films/decide?folder=Zzyzx")).toContain("Zzyzx/05.webm");
  await post("/admin/films", { intent: "folder-title", folder: "Zzyzx", id: String(other), shift: "1" });
  expect(await shown()).not.toContain("looked at next");
  await runRequestedScans({});
  expect((await listSources({ malId: other })).map(({ episode, url }) => `${episode} ${url}`)).toEqual([
    "4 media:Zzyzx Unheard Of - 04.webm",
    "6 media:Zzyzx/05.webm",
    "7 media:Zzyzx/06.webm",
  ]);
  const decided = await shown();
  expect(decided).toContain(">Zzyzx/05.webm<");
  expect(decided).not.toContain(">media:");
  expect(decided).toContain("Quiet Porch Stories, a special");
  expect(decided).toContain("Nothing to decide");
  expect(decided).toContain("or decided about videos");
  const ids = [...decided.matchAll(/name="id" value="([\da-f-]{36})"/g)].map(([, id]) => id);
  const undone = await post("/admin/films", { intent: "undo", id: ids.slice(0, 2).join(" ") });
  expect(undone).toContain("2 decisions are undone.");
  const name = await db.select({ title: titles.title }).from(titles).where(eq(titles.malId, other));
  const events = await listEvents(100);
  expect(
    events.filter(({ kind, actor }) => kind === "title_edited" && actor === "operator").slice(0, 5),
  ).toMatchObject([
    { detail: `Undone: ${name[0]?.title}, episode 4: Zzyzx Unheard Of - 04.webm` },
    { detail: `Undone: All are ${name[0]?.title}, numbers +1: Zzyzx` },
    { detail: `All are ${name[0]?.title}, numbers +1: Zzyzx` },
    { detail: `${name[0]?.title}, episode 4: Zzyzx Unheard Of - 04.webm` },
    { detail: "Quiet Porch Stories, a special: Quiet Porch Stories/Specials/SP01.webm" },
  ]);
  expect(events[0]?.operatorEmail).toBe(operator.email);
  const unjudged = await shown();
  expect(unjudged).toContain("3 videos are looked at next.");
  expect(unjudged).not.toContain("Nothing to decide");
  expect((await open("/admin")).replaceAll("<!-- -->", "")).toMatch(
    /Videos to decide.*?0<span[^>]*> 3 not looked/,
  );
  await runRequestedScans({});
  const judged = await shown();
  expect(judged).toContain("3 to decide");
  expect(judged).not.toContain("looked at next");
  expect((await operator.request("/admin/films/decide?film=x")).status).toBe(404);
});
