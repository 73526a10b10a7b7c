import { createTransport } from "nodemailer";
import { errorFields, log } from "./log.server.ts";
import { counter } from "./metrics.server.ts";
import { env } from "./process/env.server.ts";
import { seconds } from "./units.ts";

/**
 * Sends mails through the operator's server, after the response: its time must not reveal whether a mail was sent,
 * which would tell whether an account exists.
 */

type Mail = { to: string; subject: string; text: string };

const maxMailsInFlight = 50;
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
      // Our mails are plain text. Without these two, nodemailer would load a file or URL that a field of the mail names.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: env.MAIL_FROM },
  );
  return transport;
}

const inFlight = new Set<Promise<void>>();

export function sendMail(mail: Mail): void {
  if (inFlight.size >= maxMailsInFlight) {
    outcomes.inc({ outcome: "dropped" });
    log.warn("a mail was dropped: the mail server is too slow");
    return;
  }
  const sending = deliver(mail).finally(() => inFlight.delete(sending));
  inFlight.add(sending);
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

/** Waits at the end of the process until the mails in flight are sent. */
export const waitForMails = async (): Promise<void> => void (await Promise.all(inFlight));
