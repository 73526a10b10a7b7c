import { expect, test } from "vitest";
import type { SignUpState } from "#app/domain/joining/joining.server.ts";
import { parseEnv } from "#app/platform/process/env.server.ts";
import { startNotice } from "#app/start/start-notice.server.ts";

const open: SignUpState = { mode: "open", warning: null };
const notice = (
  settings: Record<string, string>,
  address = "http://127.0.0.1:3000",
  signUps = open,
  setupCode: string | null = "THE-CODE",
) =>
  startNotice(
    {
      ...parseEnv(settings),
      hasFilms: settings.MEDIA_DIR !== undefined,
      isClosed: settings.VISITORS === "no",
    },
    address,
    signUps,
    setupCode,
  ).join("\n");

test("on a loopback HOST it shows the URLs, how to open the site to the network, and the note on local mode", () => {
  const text = notice({});
  expect(text).toContain("Engawa is at http://127.0.0.1:3000\n");
  expect(text).toContain("http://127.0.0.1:3000/watch/900000001/1");
  expect(text).toContain("HOST=0.0.0.0");
  expect(text).toContain("set up         http://127.0.0.1:3000/setup\n");
  expect(text).toContain("ALLOW_PRIVATE_UPSTREAMS=0");
  expect(text).not.toContain("SIGNUPS");
  expect(text).not.toContain("PROXY_ALLOWED_HOSTS");
});

test("on a public HOST it warns that sign-ups and the proxy are open, and does not mention local mode", () => {
  const text = notice({ HOST: "0.0.0.0", PORT: "8080", SIGNUPS: "open" }, "http://0.0.0.0:8080");
  expect(text).toContain("Engawa is at http://localhost:8080\n");
  expect(text).toContain("http://<this machine's address>:8080");
  expect(text).toContain("anybody may sign up. To prevent this, change or remove the variable SIGNUPS,");
  expect(text).toContain("PROXY_ALLOWED_HOSTS");
  expect(text).not.toContain("local mode");
});

test("with PUBLIC_URL it shows that URL, also on a loopback HOST", () => {
  const text = notice({ PUBLIC_URL: "https://watch.example.org", SIGNUPS: "open" });
  expect(text).toContain("Engawa is at https://watch.example.org\n");
  expect(text).toContain("https://watch.example.org/watch/900000001/1");
  expect(text).toContain("anybody may sign up. To prevent this, change or remove the variable SIGNUPS,");
  expect(text).not.toContain("local mode");
});

test("with sign-ups and the proxy closed by settings, it does not mention them", () => {
  const closed = {
    HOST: "::",
    SIGNUPS: "closed",
    PROXY_SIGNING_SECRET: "s".repeat(32),
  };
  expect(notice(closed, "http://[::]:3000")).not.toContain("note");
  expect(notice({ ALLOW_PRIVATE_UPSTREAMS: "0" })).not.toContain("note");
});

test("on a closed site it does not say that anybody may fetch films through the video proxy", () => {
  const address = "http://0.0.0.0:3000";
  expect(notice({ HOST: "0.0.0.0" }, address)).toContain("PROXY_ALLOWED_HOSTS");
  expect(notice({ HOST: "0.0.0.0", VISITORS: "no" }, address)).not.toContain("PROXY_ALLOWED_HOSTS");
});

test("without an operator it shows the page that creates one, and the code if that page requires it", () => {
  expect(notice({})).not.toContain("THE-CODE");
  const network = notice({ HOST: "0.0.0.0" }, "http://0.0.0.0:3000");
  expect(network).toContain("http://localhost:3000/setup#THE-CODE\n");
  expect(network).toContain("put the address of this machine in the place of localhost");
  const named = notice({ PUBLIC_URL: "https://watch.example.org" });
  expect(named).toContain("https://watch.example.org/setup#THE-CODE\n");
  expect(named).not.toContain("localhost");
});

test("with an operator it does not mention the setup page", () => {
  expect(notice({ HOST: "0.0.0.0" }, undefined, undefined, null)).not.toContain("set up");
});

test("after an update that keeps sign-up open, it says so in one line", () => {
  const text = notice({ HOST: "0.0.0.0" }, undefined, { ...open, warning: "kept open" });
  expect(text.split("\n").filter((line) => line.includes("kept open"))).toHaveLength(1);
});

test("it leads to the page Setup unless the variable SIGNUPS locks the choice there", () => {
  const advice = (settings: Record<string, string>) =>
    [
      ...notice({ HOST: "0.0.0.0", MEDIA_DIR: "/films", ...settings }).matchAll(
        /(anybody (?:may|who) sign.*)\. To prevent this, (.*)/g,
      ),
    ].map(([, , text]) => text);
  const page = "choose on the page Setup who may join";
  expect(advice({})).toEqual([page, page]);
  const variable = "change or remove the variable SIGNUPS, and start the site again";
  expect(advice({ SIGNUPS: "open" })).toEqual([variable, variable]);
});

test("it says that a sign-up code is not used without SIGNUPS=code", () => {
  const isSaid = (settings: Record<string, string>) =>
    notice({ SIGNUP_CODE: "open sesame", ...settings }).includes("SIGNUP_CODE is not used");
  expect(isSaid({})).toBe(true);
  expect(isSaid({ SIGNUPS: "invite" })).toBe(true);
  expect(isSaid({ SIGNUPS: "code" })).toBe(false);
});

test("it says who can watch the films of a folder if no choice was made", () => {
  const isSaid = (settings: Record<string, string>, signUps = open) =>
    notice({ HOST: "0.0.0.0", ...settings }, undefined, signUps).includes("can watch your videos");
  expect(isSaid({ MEDIA_DIR: "/films", SIGNUPS: "open" })).toBe(true);
  expect(isSaid({ MEDIA_DIR: "/films" })).toBe(true);
  const invited: SignUpState = { mode: "invite", warning: null };
  expect(isSaid({ MEDIA_DIR: "/films", SIGNUPS: "invite" }, invited)).toBe(false);
  expect(isSaid({ MEDIA_DIR: "/films", SIGNUPS: "invite", FILMS: "everyone" }, invited)).toBe(true);
  expect(isSaid({ SIGNUPS: "open" })).toBe(false);
});
