import { goodPassword } from "#tests/support/data/good-password.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";

/** Members of a site in another process. The tests of a site in this process use `visitor.ts`. */

/** The Cookie header of a browser that got the answer. */
export const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** A member with a session. Requests carry the Origin header, as those of a browser do. */
export class Member {
  private readonly publicOrigin: string;
  readonly cookie: string;
  readonly email: string;

  constructor(publicOrigin: string, email: string, answer: Response) {
    this.publicOrigin = publicOrigin;
    this.email = email;
    this.cookie = cookiesOf(answer);
  }

  ask(url: string, json?: unknown, method = json === undefined ? "GET" : "POST") {
    const headers = { Cookie: this.cookie, Origin: this.publicOrigin, "Content-Type": "application/json" };
    return fetch(url, { method, headers, ...(json !== undefined && { body: JSON.stringify(json) }) });
  }
}

/** Signs up at the site's URL or at the URL of one instance. */
export const signUpAt = (at: string, email: string, publicOrigin = at): Promise<Member> =>
  enter(`${at}/api/auth/signup`, { email, username: email.slice(0, email.indexOf("@")) }, publicOrigin);

/** Signs in to an account that has the usual password. */
export const signInAt = (at: string, email: string): Promise<Member> =>
  enter(`${at}/api/auth/signin`, { email }, at);

async function enter(url: string, account: { email: string; username?: string }, publicOrigin: string) {
  const answer = await whenFree(() =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: publicOrigin },
      body: JSON.stringify({ ...account, password: goodPassword }),
    }),
  );
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return new Member(publicOrigin, account.email, answer);
}
