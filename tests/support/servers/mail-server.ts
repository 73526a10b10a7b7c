import { createServer, type Socket } from "node:net";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** A mail server that accepts and stores every mail. It implements only the part of RFC 5321 that this needs. */

type Mail = { to: string; subject: string; text: string };

/** The secret in a mailed link, or in its path. Empty if there is none. */
export const tokenIn = (text: string) => /token=([\w-]{43})\b/.exec(text)?.[1] ?? "";

export async function startMailServer() {
  const mails: Mail[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((socket) => serveSmtp(socket, store));

  function store(to: string, source: string) {
    const [head = "", ...body] = source.split("\r\n\r\n");
    const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? "";
    const raw = body.join("\r\n\r\n");
    const text = /quoted-printable/i.test(head)
      ? raw
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : raw;
    mails.push({ to, subject, text });
    for (const wake of waiting.splice(0)) wake();
  }

  const port = await listenLocally(server);
  atEnd(() => server.close());
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Waits for a mail to this email, also one that arrived before the call. Returns each mail once. */
    async take(to: string): Promise<Mail> {
      for (;;) {
        const index = mails.findIndex((mail) => mail.to === to);
        if (index >= 0) return mails.splice(index, 1)[0] as Mail;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

function serveSmtp(socket: Socket, store: (to: string, source: string) => void) {
  let text = "";
  let to = "";
  let isData = false;
  socket.on("error", () => {});
  socket.write("220 test\r\n");
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    for (;;) {
      const end = text.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + (isData ? 5 : 2));
      if (isData) {
        store(to, line);
        isData = false;
        socket.write("250 kept\r\n");
      } else if (/^DATA/i.test(line)) {
        isData = true;
        socket.write("354 go on\r\n");
      } else if (/^QUIT/i.test(line)) {
        socket.end("221 bye\r\n");
      } else {
        to = /^RCPT TO:<(.*)>/i.exec(line)?.[1] ?? to;
        socket.write("250 ok\r\n");
      }
    }
  });
}
