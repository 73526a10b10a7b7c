import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadEnvFile } from "node:process";
import { z } from "zod";
import { parsePrivateUpstreams } from "../upstream/private-upstreams.ts";
import { mustBeOneOf, mustBeWithin } from "../validation-messages.ts";
import { CannotStart, endProcess } from "./cannot-start.server.ts";

/**
 * Every variable the product reads, declared once: parsing, `npm run config`, `.env.example` and the table
 * in the docs come from here. Nobody else reads `process.env`.
 */

const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, mustBeOneOf(values));
const flag = oneOf("0", "1").transform((value) => value === "1");
const whole = (min: number, max: number) => {
  const error = mustBeWithin("a whole number", min, max);
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
};
/** `http` allows `https` as well, and so on. */
const url = (scheme: string, secure = `${scheme}s`) =>
  z.url({
    protocol: new RegExp(`^(?:${scheme}|${secure})$`),
    error: `must be an address that begins with ${scheme}:// or ${secure}://`,
  });
const origin = url("http")
  .refine(
    // It is asked of what is no URL too.
    (value) => URL.canParse(value) && new URL(value).pathname === "/" && !value.includes("?"),
    "must be an origin, without a path",
  )
  .transform((value) => new URL(value).origin);
const commaList = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

/** What travels in headers and signatures; a newline that came along with a copied secret would break them. */
const plain = z.string().regex(/^[ -~]+$/, "must be plain ASCII, on one line");
const path = z
  .string()
  .min(1)
  .transform((text) => resolve(text));

export type Variable = {
  schema: z.ZodType;
  /** As it would stand in `.env`; undefined: unset. */
  default?: string;
  meaning: string;
  secret?: true;
};

const variable = <T extends z.ZodType>(
  schema: T,
  meaning: string,
  options: { default?: string; secret?: true } = {},
) => ({
  schema,
  meaning,
  ...options,
});
const optional = <T extends z.ZodType>(schema: T, meaning: string, options: { secret?: true } = {}) =>
  variable(schema.optional(), meaning, options);

export const variables = {
  PORT: variable(whole(0, 65535), "Port it listens on", { default: "3000" }),
  HOST: variable(
    z.string().regex(/^[\w.:%-]+$/, "must be an address or a host's name"),
    "Address it listens on; 0.0.0.0 opens it to the network",
    {
      default: "127.0.0.1",
    },
  ),
  DATABASE_URL: optional(
    url("postgres", "postgresql"),
    "PostgreSQL to use; unset: the embedded one under DATA_DIR",
    {
      secret: true,
    },
  ),
  DATA_DIR: variable(path, "Embedded database, stored images, image cache", { default: "./data" }),
  SESSION_SECRET: optional(
    commaList.refine(
      (list) => list.length > 0 && list.every((secret) => secret.length >= 32),
      "each secret needs at least 32 characters",
    ),
    "Signs cookies; comma list, the first signs, all verify; unset: made and kept in DATA_DIR",
    { secret: true },
  ),
  PUBLIC_URL: optional(origin, "The address people type: absolute links, cookie security, OAuth redirect"),
  SMTP_URL: optional(url("smtp"), "Mail server for reset and verification mail", {
    secret: true,
  }),
  MAIL_FROM: optional(
    z.string().regex(/^[^\r\n]*[^\s@]@[^\s@]/, "must hold an e-mail address"),
    "Sender of those mails",
  ),
  CORS_ORIGINS: variable(
    commaList.pipe(z.array(origin)),
    "Other origins whose pages may call the API with the session cookie",
    {
      default: "",
    },
  ),
  METRICS_PORT: optional(whole(0, 65535), "Prometheus metrics on this port of the loopback address"),
  LOG_LEVEL: variable(oneOf("debug", "info", "warn", "error"), "Least severe line that is logged", {
    default: "info",
  }),
  PROXY_ALLOWED_HOSTS: optional(
    commaList.refine(
      (hosts) => hosts.every((host) => !/\s/.test(host)),
      "must be hosts, with commas between",
    ),
    "Hosts the video proxy may fetch from: patterns like *.example.org, or `catalog`",
  ),
  PROXY_SIGNING_SECRET: optional(
    z.string().min(32, "needs at least 32 characters"),
    "The video proxy answers only addresses signed with this",
    { secret: true },
  ),
  TRUST_PROXY: variable(whole(0, 10), "How many proxies in front may name the client's address", {
    default: "0",
  }),
  ALLOW_PRIVATE_UPSTREAMS: optional(
    z
      .string()
      .refine((text) => parsePrivateUpstreams(text), "must be 0, 1, or a list of hosts, host:port and CIDRs"),
    "Private upstreams the proxies may fetch: 0, 1, or a list of hosts, host:port and CIDRs",
  ),
  MEDIA_DIR: optional(path, "Folder of your own films, served at /media"),
  SIGNUPS: variable(oneOf("open", "code", "closed"), "Who may sign up", { default: "open" }),
  SIGNUP_CODE: optional(
    z.string().min(4, "needs at least 4 characters"),
    "The code that SIGNUPS=code asks for",
    { secret: true },
  ),
  INDEXING: variable(flag, "1 opens robots.txt and the sitemap to search engines", { default: "0" }),
  PUBLIC_CACHE: variable(flag, "0 switches the cache of public answers off", { default: "1" }),
  OAUTH_ISSUER: optional(url("http"), "External identity provider (OpenID Connect discovery)"),
  OAUTH_CLIENT_ID: optional(plain, "Client id at that provider"),
  OAUTH_CLIENT_SECRET: optional(plain, "Client secret at that provider", { secret: true }),
  STORAGE: variable(oneOf("disk", "s3", "ipfs"), "Where stored images go", { default: "disk" }),
  S3_ENDPOINT: optional(url("http"), "Address of the S3-compatible service"),
  S3_BUCKET: optional(plain, "Bucket"),
  S3_REGION: optional(plain, "Region"),
  S3_ACCESS_KEY_ID: optional(plain, "Access key", { secret: true }),
  S3_SECRET_ACCESS_KEY: optional(plain, "Secret key", { secret: true }),
  S3_PUBLIC_URL: optional(url("http"), "Public address of the bucket"),
  IPFS_API_URL: optional(url("http"), "Kubo RPC address"),
  IPFS_API_TOKEN: optional(plain, "Bearer token for the RPC", { secret: true }),
  IPFS_GATEWAY_URL: optional(url("http"), "Public gateway address"),
  REDIS_URL: optional(url("redis"), "Shares rate limits and image results between instances", {
    secret: true,
  }),
  RATE_LIMIT_POINTS: variable(whole(1, 1_000_000), "Requests a window, on every limited endpoint", {
    default: "100",
  }),
  RATE_LIMIT_SECONDS: variable(whole(1, 86_400), "Length of that window", { default: "60" }),
  RATE_LIMIT_AUTH_POINTS: optional(whole(1, 1_000_000), "The same for sign-up and sign-in"),
  RATE_LIMIT_CATALOG_POINTS: optional(whole(1, 1_000_000), "The same for the catalog"),
  RATE_LIMIT_VIDEO_POINTS: optional(whole(1, 1_000_000), "The same for the video proxy"),
} satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
export type Env = Readonly<{ [Name in VariableName]: z.output<(typeof variables)[Name]["schema"]> }> & {
  readonly production: boolean;
};

export class BadVariable extends CannotStart {
  override name = "BadVariable";
}

const needs: [VariableName, (env: Env) => boolean, string][] = [
  [
    "SESSION_SECRET",
    (env) => env.production && env.DATABASE_URL !== undefined,
    "is required when DATABASE_URL is set",
  ],
  [
    "PUBLIC_URL",
    (env) => env.SMTP_URL !== undefined || env.OAUTH_ISSUER !== undefined,
    "is required with SMTP_URL or OAUTH_*",
  ],
  ["MAIL_FROM", (env) => env.SMTP_URL !== undefined, "is required with SMTP_URL"],
  ["SIGNUP_CODE", (env) => env.SIGNUPS === "code", "is required with SIGNUPS=code"],
  ["OAUTH_CLIENT_ID", (env) => env.OAUTH_ISSUER !== undefined, "is required with OAUTH_ISSUER"],
  ["OAUTH_CLIENT_SECRET", (env) => env.OAUTH_ISSUER !== undefined, "is required with OAUTH_ISSUER"],
  ["OAUTH_ISSUER", (env) => env.OAUTH_CLIENT_ID !== undefined, "is required with OAUTH_CLIENT_ID"],
  ["S3_ENDPOINT", (env) => env.STORAGE === "s3", "is required with STORAGE=s3"],
  ["S3_BUCKET", (env) => env.STORAGE === "s3", "is required with STORAGE=s3"],
  ["S3_ACCESS_KEY_ID", (env) => env.STORAGE === "s3", "is required with STORAGE=s3"],
  ["S3_SECRET_ACCESS_KEY", (env) => env.STORAGE === "s3", "is required with STORAGE=s3"],
  ["IPFS_API_URL", (env) => env.STORAGE === "ipfs", "is required with STORAGE=ipfs"],
];

/** An empty variable counts as unset: that is how compose files and `.env` leave one out. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const values: Record<string, unknown> = { production: source.NODE_ENV === "production" };
  for (const [name, { schema, default: fallback }] of Object.entries(variables) as [
    VariableName,
    Variable,
  ][]) {
    const result = schema.safeParse(source[name] || fallback);
    if (!result.success) throw new BadVariable(`${name}: ${result.error.issues[0]?.message ?? "bad value"}`);
    values[name] = result.data;
  }
  const env = values as Env;
  for (const [name, isNeeded, why] of needs)
    if (env[name] === undefined && isNeeded(env)) throw new BadVariable(`${name}: ${why}`);
  if (env.CORS_ORIGINS.length > 0 && !env.PUBLIC_URL?.startsWith("https:") && env.production)
    throw new BadVariable("CORS_ORIGINS: needs a PUBLIC_URL on https, since its cookies cross sites");
  if (env.METRICS_PORT !== undefined && env.METRICS_PORT === env.PORT && env.PORT !== 0)
    throw new BadVariable("METRICS_PORT: must be another port than PORT's");
  return Object.freeze(env);
}

/** Which variables the shell set, before `.env` added the rest; `npm run config` tells them apart. */
export const setByShell: ReadonlySet<string> = new Set(
  Object.keys(variables).filter((name) => process.env[name]),
);

export const env: Env = readEnvironment();

/** As it was written, for `npm run config`. */
export const rawEnvironment: Readonly<Record<string, string | undefined>> = process.env;

function readEnvironment() {
  try {
    if (existsSync(".env")) loadEnvFile(".env");
    return parseEnv(process.env);
  } catch (error) {
    return endProcess(
      error instanceof BadVariable
        ? error
        : new CannotStart(`.env cannot be read: ${(error as Error).message}`),
    );
  }
}

/** What a child process needs to start, without our secrets: it may be the one that a hostile file takes over. */
export const bareEnvironment: Record<string, string> = Object.fromEntries(
  ["PATH", "SystemRoot", "TEMP", "TMPDIR", "LANG"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
