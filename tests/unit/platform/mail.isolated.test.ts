import { expect, test, vi } from "vitest";

const sent = vi.hoisted(() => {
  process.env.LOG_LEVEL = "error";
  return [] as string[];
});
vi.mock("nodemailer", () => ({
  createTransport: () => ({
    // A mail server that never answers.
    sendMail({ to }: { to: string }) {
      sent.push(to);
      return new Promise(() => {});
    },
  }),
}));
const { sendMail } = await import("#app/platform/mail.server.ts");
const { currentClient, workFor } = await import("#app/platform/limits/current-client.server.ts");

/** Sends 20 mails for a client and counts those that are handed to the mail server. */
const countSent = (ipBlock: string, accountOf: (index: number) => string | undefined = () => undefined) =>
  workFor(ipBlock, async () => {
    const before = sent.length;
    for (let index = 0; index < 20; index++) {
      const account = accountOf(index);
      const client = currentClient();
      if (client && account !== undefined) client.account = account;
      sendMail({ to: "somebody@example.org", subject: "Test", text: "Test" });
    }
    return sent.length - before;
  });

test("with a silent mail server, neither one address nor one account keeps out the mails of others", async () => {
  expect(await countSent("192.0.2.1")).toBe(10);
  expect(await countSent("192.0.2.2", (index) => `account ${index}`)).toBe(10);
  expect(await countSent("192.0.2.3", () => "one account")).toBe(10);
  expect(await countSent("192.0.2.4", () => "one account")).toBe(0);
  expect(await countSent("192.0.2.5")).toBe(10);
});
