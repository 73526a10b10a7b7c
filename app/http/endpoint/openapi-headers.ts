/** The response headers that the OpenAPI document declares. */
const declared = [
  { name: "Accept-Ranges", description: "`bytes`: the answer can be asked for in parts" },
  { name: "Cache-Control", description: "How long caches may keep the answer" },
  { name: "Content-Disposition", description: "The name under which a browser saves the file" },
  { name: "Content-Range", description: "Which bytes these are, and of how many" },
  { name: "ETag", description: "Send it as If-None-Match to get 304 while nothing has changed" },
  { name: "Expires", description: "The same as max-age of Cache-Control, as a date" },
  { name: "Last-Modified", description: "When the file was changed" },
  { name: "Location", description: "Where to go on" },
  { name: "Retry-After", description: "Seconds to wait before the next attempt" },
  { name: "Set-Cookie", description: "The session, or the visitor's preferences" },
  { name: "X-Ipfs-Path", description: "The path of the picture on IPFS" },
  { name: "X-RateLimit-Limit", description: "Requests in a window, on endpoints with a limit" },
  { name: "X-RateLimit-Remaining", description: "Requests left in this window, on endpoints with a limit" },
  { name: "X-RateLimit-Reset", description: "Seconds until the next window, on endpoints with a limit" },
] as const;

export type HeaderName = (typeof declared)[number]["name"];

const numbers = new Set<string>([
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
]);
/** These headers are required: every answer that lists one of them has it. */
const always = new Set<string>(["Cache-Control", "Location", "Retry-After"]);

export const rateLimitHeaders = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies HeaderName[];

/** `components/headers` of the document. */
export const headerComponents = Object.fromEntries(
  declared.map(({ name, description }) => [
    name,
    {
      description,
      ...(always.has(name) && { required: true }),
      schema: { type: numbers.has(name) ? "integer" : "string" },
    },
  ]),
);

export const headersOf = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
