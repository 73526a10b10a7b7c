import { application } from "#app/start/site.server.ts";

/** The whole built site in this process: a Request goes in, a Response comes out, and no port is opened. */

export const origin = "http://localhost:3000";

type Init = RequestInit & {
  /** Whose request it is; limiters count by it. */
  address?: string;
};

let strangers = 0;

/** Each request comes from an address of its own unless one is named, so that tests share no limiter. */
export function request(path: string, { address = newAddress(), ...init }: Init = {}): Promise<Response> {
  return application.handle(new Request(new URL(path, origin), init), { peerAddress: address });
}

export function newAddress() {
  strangers++;
  return `10.${(strangers >> 16) & 255}.${(strangers >> 8) & 255}.${strangers & 255}`;
}
