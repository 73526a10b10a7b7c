import { application } from "#app/start/site.server.ts";
import { answerRequest } from "#tests/support/site/answer-request.ts";

/** Runs the whole built site in this process: it takes a Request, returns a Response and opens no port. */

export const origin = "http://localhost:3000";

type Init = RequestInit & {
  /** The client's IP address. Limiters count requests per address. */
  address?: string;
};

let clients = 0;

/** Each request comes from a new IP address unless the test names one, so that tests share no limiter. */
export function request(path: string, { address = newAddress(), ...init }: Init = {}): Promise<Response> {
  const asked = new Request(new URL(path, origin), init);
  // Clients send the length of a text. A body of unknown length counts as an upload.
  if (typeof init.body === "string" && !asked.headers.has("Content-Length"))
    asked.headers.set("Content-Length", `${Buffer.byteLength(init.body)}`);
  return answerRequest(application, asked, { peerAddress: address });
}

export function newAddress() {
  clients++;
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
}
