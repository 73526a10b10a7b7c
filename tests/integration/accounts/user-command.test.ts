import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

type Ran = { code: number; out: string; err: string };

async function user(args: string[], input = ""): Promise<Ran> {
  const child = spawn(process.execPath, ["build/server/user.js", ...args], {
    env: { ...process.env, LOG_LEVEL: "debug" },
  });
  child.stdin.end(input);
  const code = new Promise<number>((resolve) => child.on("close", (ended) => resolve(ended ?? -1)));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}
const json = (ran: Ran) => JSON.parse(ran.out) as Record<string, unknown>;

const signIn = async (email: string, password: string) => {
  const visitor = new Visitor();
  return {
    visitor,
    status: (await visitor.request("/api/auth/signin", { json: { email, password } })).status,
  };
};

it("create --operator makes an operator account, and an email in use exits with 1", async () => {
  const made = await user(["create", "Boss@Example.org", "--name", "Boss", "--operator", "--json"]);
  expect(made.code).toBe(0);
  const account = json(made);
  expect(account).toMatchObject({ email: "boss@example.org", name: "Boss", role: "operator" });
  expect((await signIn("boss@example.org", String(account.password))).status).toBe(200);
  const again = await user(["create", "boss@example.org", "--name", "Boss"]);
  expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("already in use") });
});

it("--password-stdin sets the password without printing it, and a weak one exits with 1", async () => {
  const made = await user(
    ["create", "quiet@example.org", "--name", "Quiet", "--password-stdin"],
    `${goodPassword}\n`,
  );
  expect(made.code).toBe(0);
  expect(made.out).not.toContain(goodPassword);
  expect((await signIn("quiet@example.org", goodPassword)).status).toBe(200);
  const weak = await user(["create", "weak@example.org", "--name", "Weak", "--password-stdin"], "weak\n");
  expect(weak.code).toBe(1);
});

it("disable ends the session and blocks sign-in, and disable --undo allows it again", async () => {
  const member = await newMember();
  expect((await user(["disable", member.email])).code).toBe(0);
  expect((await member.request("/api/auth/sessions")).status).toBe(401);
  expect((await signIn(member.email, goodPassword)).status).toBe(401);
  expect((await user(["disable", member.email, "--undo"])).code).toBe(0);
  expect((await signIn(member.email, goodPassword)).status).toBe(200);
});

it("reset prints a link that sets a new password once", async () => {
  const member = await newMember();
  const printed = await user(["reset", member.email]);
  expect(printed.code).toBe(0);
  const token = new URL(printed.out.trim()).searchParams.get("token");
  const confirm = () =>
    new Visitor().request("/api/auth/reset/confirm", { json: { token, password: "Xyz987!a" } });
  expect((await confirm()).status).toBe(200);
  expect((await confirm()).status).toBe(400);
  expect((await signIn(member.email, "Xyz987!a")).status).toBe(200);
});

it("operator changes the role, list shows it, and delete needs --yes", async () => {
  const member = await newMember();
  expect((await user(["operator", member.email, "--json"])).out).toContain('"operator"');
  const listed = JSON.parse((await user(["list", "--json"])).out) as { email: string; role: string }[];
  expect(listed.find((one) => one.email === member.email)).toMatchObject({
    role: "operator",
    hasPassword: true,
  });
  expect((await user(["operator", member.email, "--remove"])).code).toBe(0);
  expect((await user(["delete", member.email])).code).toBe(2);
  expect((await user(["delete", member.email, "--yes"])).code).toBe(0);
  expect((await user(["delete", member.email, "--yes"])).code).toBe(1);
  expect((await user(["list"])).out).not.toContain(member.email);
});

it.each([[[]], [["frob"]], [["list", "x@y.zz"]], [["reset"]], [["create", "a@b.co"]]])(
  "the arguments %j exit with 2 and point to --help",
  async (args) => {
    expect(await user(args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--help") });
  },
);
