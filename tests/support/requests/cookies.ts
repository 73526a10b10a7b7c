/** The cookies of a client, by name. */
type Cookies = Map<string, string>;

export const cookieHeader = (cookies: Cookies) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Keeps the cookies of these Set-Cookie headers, and forgets those that they end. */
export function keepCookies(cookies: Cookies, headers: readonly string[]) {
  for (const header of headers) {
    const [pair = "", ...attributes] = header.split("; ");
    const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    const isExpired = attributes.some(
      (one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one),
    );
    if (isExpired) cookies.delete(name);
    else cookies.set(name, value);
  }
}
