import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tool } from "#app/cli/user.ts";
import { listInvitations } from "#app/domain/joining/joining.server.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newMember, signIn, Visitor } from "#tests/support/requests/visitor.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { spawnTool } from "#tests/support/site/command-line-tools.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

const user = (toolArguments: string[], input?: string) => runToolInProcess(tool, toolArguments, input);

test("create --operator makes an operator account, and an email in use exits with 1", async () => {
  const made = await spawnTool("user", [
    "create",
    "Boss@Example.org",
    "--name",
    "Boss",
    "--operator",
    "--json",
  ]);
  expect(made.code).toBe(0);
  const account = JSON.parse(made.stdout) as Record<string, unknown>;
  expect(account).toMatchObject({ email: "boss@example.org", name: "Boss", role: "operator" });
  expect((await signIn("boss@example.org", String(account.password))).status).toBe(200);
  const again = await user(["create", "boss@example.org", "--name", "Boss"]);
  expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("already in use") });
});

test("a name that is too short is refused by the name of its option", async () => {
  expect(await user(["create", "op@example.org", "--name", "Op"])).toMatchObject({
    code: 1,
    stderr: "--name needs at least 3 characters\n",
  });
});

test("--password-stdin sets the password without printing it, and a weak one exits with 1", async () => {
  const made = await spawnTool(
    "user",
    ["create", "quiet@example.org", "--name", "Quiet", "--password-stdin"],
    { input: `${goodPassword}\n` },
  );
  expect(made.code).toBe(0);
  expect(made.stdout).not.toContain(goodPassword);
  expect((await signIn("quiet@example.org", goodPassword)).status).toBe(200);
  const weak = await user(["create", "weak@example.org", "--name", "Weak", "--password-stdin"], "weak\n");
  expect(weak.code).toBe(1);
});

test("disable ends the session and blocks sign-in, and disable --undo allows it again", async () => {
  const member = await newMember();
  expect((await spawnTool("user", ["disable", member.email])).code).toBe(0);
  expect((await member.request("/api/auth/sessions")).status).toBe(401);
  expect((await signIn(member.email, goodPassword)).status).toBe(401);
  expect((await user(["disable", member.email, "--undo"])).code).toBe(0);
  expect((await signIn(member.email, goodPassword)).status).toBe(200);
});

test("reset prints a link that sets a new password once", async () => {
  const member = await newMember();
  const printed = await user(["reset", member.email]);
  expect(printed.code).toBe(0);
  const token = new URL(printed.stdout.trim()).searchParams.get("token");
  const confirm = () =>
    new Visitor().request("/api/auth/reset/confirm", { json: { token, password: "Xyz987!a" } });
  expect((await confirm()).status).toBe(200);
  expect((await confirm()).status).toBe(400);
  expect((await signIn(member.email, "Xyz987!a")).status).toBe(200);
});

test("invite prints a link for one person, which the operators' page lists with its note", async () => {
  const printed = await user(["invite", "--note", "For Ren"]);
  expect(printed.code).toBe(0);
  expect(printed.stdout.trim()).toMatch(/\/signup#[\w-]{43}$/);
  const [listed] = await listInvitations();
  expect(listed).toMatchObject({ note: "For Ren", maxUses: 1, uses: 0, madeBy: null });
  expect((listed?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  expect((await user(["invite", "somebody@example.org"])).code).toBe(2);
});

test.each(["0.0.0.0", "::"])(
  "where the site listens on every address (%s), a link names localhost",
  async (HOST) => {
    const settings = { HOST, PORT: "3210", PUBLIC_URL: "" };
    const printed = await spawnTool("user", ["invite"], { settings });
    expect(printed.stdout).toMatch(/^http:\/\/localhost:3210\/signup#/);
  },
);

test("with the settings of no site, a command for one account refuses and creates no database", async () => {
  const folder = temporaryFolder("user");
  const settings = { DATABASE_URL: "", DATA_DIR: folder };
  expect(await spawnTool("user", ["reset", "boss@example.org"], { settings })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database in .*DATA_DIR and DATABASE_URL\n$/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("operator changes the role, list shows it, and delete needs --yes", async () => {
  const member = await newMember();
  expect((await user(["operator", member.email, "--json"])).stdout).toContain('"operator"');
  const listed = JSON.parse((await user(["list", "--json"])).stdout) as { email: string; role: string }[];
  expect(listed.find((one) => one.email === member.email)).toMatchObject({
    role: "operator",
    hasPassword: true,
  });
  expect((await user(["operator", member.email, "--remove"])).code).toBe(0);
  expect((await user(["delete", member.email])).code).toBe(2);
  expect((await user(["delete", member.email, "--yes"])).code).toBe(0);
  expect((await user(["delete", member.email, "--yes"])).code).toBe(1);
  expect((await user(["list"])).stdout).not.toContain(member.email);
});

test.each([[[]], [["frob"]], [["list", "x@y.zz"]], [["reset"]], [["create", "a@b.co"]]])(
  "the arguments %j exit with 2 and point to --help",
  async (args) => {
    expect(await user(args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--help"),
    });
  },
);
