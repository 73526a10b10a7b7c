import { whenFree } from "#tests/support/requests/when-free.ts";

/** Members of a site in another process. The tests of a site in this process use `visitor.ts`. */

export const password = "Abc123!x";

/** A member with a session. Requests carry the Origin header, as those of a browser do. */
export class Member {
  private readonly publicOrigin: string;
  readonly cookie: string;
  readonly email: string;

  constructor(publicOrigin: string, email: string, answer: Response) {
    this.publicOrigin = publicOrigin;
    this.email = email;
    this.cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  }

  ask(url: string, json?: unknown, method = json === undefined ? "GET" : "POST") {
    const headers = { Cookie: this.cookie, Origin: this.publicOrigin, "Content-Type": "application/json" };
    return fetch(url, { method, headers, ...(json !== undefined && { body: JSON.stringify(json) }) });
  }
}

/** Signs up at the site's URL or at the URL of one instance. */
export async function signUpAt(at: string, email: string, publicOrigin = at): Promise<Member> {
  const answer = await whenFree(() =>
    fetch(`${at}/api/auth/signup`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: publicOrigin },
      body: JSON.stringify({ email, password, username: email.slice(0, email.indexOf("@")) }),
    }),
  );
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`);
  return new Member(publicOrigin, email, answer);
}
