import { createTransport } from "nodemailer";
import { errorFields, log } from "./log.server.ts";
import { counter } from "./metrics.server.ts";
import { env } from "./process/env.server.ts";
import { seconds } from "./units.ts";

/** Plain mail through the operator's server, sent behind the answer: who asks must not learn by waiting. */

type Letter = { to: string; subject: string; text: string };

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
      // A letter is text of our own: nothing in it is ever to be fetched or read from disk.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: env.MAIL_FROM },
  );
  return transport;
}

const inFlight = new Set<Promise<void>>();

export function sendMail(letter: Letter): void {
  if (inFlight.size >= maxMailsInFlight) {
    outcomes.inc({ outcome: "dropped" });
    log.warn("a mail was dropped: the mail server is too slow");
    return;
  }
  const sending = deliver(letter).finally(() => inFlight.delete(sending));
  inFlight.add(sending);
}

async function deliver(letter: Letter) {
  try {
    await openTransport().sendMail(letter);
    outcomes.inc({ outcome: "sent" });
  } catch (error) {
    outcomes.inc({ outcome: "failed" });
    log.error("a mail could not be sent", errorFields(error));
  }
}

/** At the end of the process: what is being sent may finish. */
export const waitForMails = async (): Promise<void> => void (await Promise.all(inFlight));
