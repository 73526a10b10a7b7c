import { createTransport } from "nodemailer";
import { currentClient } from "./limits/current-client.server.ts";
import { createFairShare } from "./limits/fair-share.ts";
import { withTimeLimit } from "./limits/time-limit.ts";
import { errorFields, log } from "./log.server.ts";
import { counter } from "./metrics.server.ts";
import { env } from "./process/env.server.ts";
import { seconds } from "./units.ts";

/**
 * Sends mails through the operator's server, after the response. The response time must not reveal whether a mail was
 * sent, and with it whether an account exists.
 */

type Mail = { to: string; subject: string; text: string };

const maxMailsInFlight = 50;
/** With a slow server, one client's mails must not keep out those of others. */
const maxMailsOfOne = 10;
const places = createFairShare({ total: maxMailsInFlight, perClient: maxMailsOfOne });
const accountPlaces = createFairShare({ total: maxMailsInFlight, perClient: maxMailsOfOne });
const outcomes = counter("mails_total", "Mails handed to the mail server, by outcome", ["outcome"]);

export const canSendMail = () => env.SMTP_URL !== undefined;

let transport: ReturnType<typeof createTransport> | undefined;

function openTransport() {
  transport ??= createTransport(
    {
      url: env.SMTP_URL,
      connectionTimeout: seconds(10),
      greetingTimeout: seconds(10),
      socketTimeout: seconds(20),
      // Our mails are plain text. Without these options, nodemailer would load a file or URL that a field of the mail
      // names.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: env.MAIL_FROM },
  );
  return transport;
}

const maxCheckMs = seconds(3);

/** Checks the mail server and returns why mails cannot be sent. Null if it accepts mails, or if none is configured. */
export async function findMailTrouble(): Promise<string | null> {
  if (env.SMTP_URL === undefined) return null;
  const { host } = new URL(env.SMTP_URL);
  try {
    await withTimeLimit(openTransport().verify(), maxCheckMs, () => new Error("the mail server is silent"));
    return null;
  } catch (error) {
    return (error as { code?: string }).code === "EAUTH"
      ? `The mail server ${host} refuses the user name or the password of SMTP_URL. Nobody gets a mail for a forgotten password.`
      : `The mail server ${host} does not answer. Nobody gets a mail for a forgotten password. Check SMTP_URL.`;
  }
}

const inFlight = new Set<Promise<void>>();

export function sendMail(mail: Mail): void {
  const giveBack = takePlace();
  if (!giveBack) {
    outcomes.inc({ outcome: "dropped" });
    log.warn("a mail was dropped: the mail server is too slow");
    return;
  }
  const sending = deliver(mail).finally(() => {
    inFlight.delete(sending);
    giveBack();
  });
  inFlight.add(sending);
}

/** A place of the address and of the account for which the mail is sent. Null if one of them has too many mails. */
function takePlace(): (() => void) | null {
  const { ipBlock, account = ipBlock } = currentClient() ?? { ipBlock: "" };
  const ofAddress = places.take(ipBlock);
  const ofAccount = ofAddress && accountPlaces.take(account);
  const giveBack = () => {
    ofAddress?.();
    ofAccount?.();
  };
  if (ofAccount) return giveBack;
  giveBack();
  return null;
}

async function deliver(mail: Mail) {
  try {
    await openTransport().sendMail(mail);
    outcomes.inc({ outcome: "sent" });
  } catch (error) {
    outcomes.inc({ outcome: "failed" });
    log.error("a mail could not be sent", errorFields(error));
  }
}

/** Waits until the mails in flight are sent, at the end of the process. */
export const waitForMails = async (): Promise<void> => void (await Promise.all(inFlight));
