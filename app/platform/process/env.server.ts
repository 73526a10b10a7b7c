import { existsSync, readFileSync } from "node:fs";
import { parseEnv as parseEnvFile } from "node:util";
import { z } from "zod";
import { isLocalMode } from "../upstream/local-mode.ts";
import { parsePrivateUpstreams } from "../upstream/private-upstreams.ts";
import { CannotStart, endProcess } from "./cannot-start.server.ts";
import { feedVariables } from "./feed-settings.ts";
import {
  commaList,
  corsOrigin,
  flag,
  folderList,
  headerValue,
  hostList,
  isLoopbackOrigin,
  oneOf,
  optional,
  origin,
  path,
  serverUrl,
  signingSecret,
  url,
  type Variable,
  variable,
  wholeNumber,
} from "./variable-values.ts";

/**
 * Declares every environment variable once. Parsing, `npm run config`, `.env.example` and the table in
 * docs/configuration.md use this declaration. A lint rule forbids `process.env` elsewhere.
 */

export const variables = {
  PORT: variable(wholeNumber(0, 65535), "Port that the site listens on", { default: "3000" }),
  HOST: variable(
    z.string().regex(/^[\w.:%-]+$/, "must be an IP address or a host name"),
    "IP address or host name that the site listens on; 0.0.0.0 opens it to the network",
    { default: "127.0.0.1" },
  ),
  DATABASE_URL: optional(
    serverUrl("postgres", "postgresql"),
    "URL of the PostgreSQL database; unset: the embedded one in DATA_DIR",
    { secret: true },
  ),
  DATABASE_DIRECT_URL: optional(
    serverUrl("postgres", "postgresql"),
    "URL of the same database past its pooler; needed if DATABASE_URL leads to a pooler such as PgBouncer",
    { secret: true },
  ),
  DATA_DIR: variable(
    path,
    "Folder for the embedded database, stored pictures, and the caches of images and converted films",
    {
      default: "./data",
    },
  ),
  SESSION_SECRET: optional(
    commaList.refine(
      (list) => list.length > 0 && list.every((secret) => secret.length >= 32),
      "each secret needs at least 32 characters",
    ),
    "Secrets for cookies and source headers, comma-separated: the first signs; unset: one is made in DATA_DIR",
    { secret: true },
  ),
  PUBLIC_URL: optional(
    origin,
    "URL that people type; needed for absolute links, secure cookies and the OAuth redirect",
  ),
  SMTP_URL: optional(url("smtp"), "Mail server for password resets and email verification", { secret: true }),
  MAIL_FROM: optional(
    z.string().regex(/^[^\r\n]*[^\s@]@[^\s@]/, "must contain an e-mail address"),
    "Sender of those mails",
  ),
  CORS_ORIGINS: variable(
    commaList.pipe(z.array(corsOrigin)),
    "Other https origins whose pages may call the API with the session cookie, separated by commas; needs a PUBLIC_URL with https. In local mode also http origins on this machine",
    { default: "" },
  ),
  METRICS_PORT: optional(wholeNumber(0, 65535), "Port for Prometheus metrics, on the loopback address only"),
  LOG_LEVEL: variable(
    oneOf("debug", "info", "warn", "error"),
    "Least severe level that is logged; the notice at the start always is",
    {
      default: "info",
    },
  ),
  PROXY_ALLOWED_HOSTS: optional(
    hostList,
    "Hosts that the video proxy may fetch from: patterns like *.example.org, or `catalog`",
  ),
  PROXY_SIGNING_SECRET: optional(
    signingSecret,
    "Secret that signs URLs for the video proxy; if set, the proxy refuses unsigned URLs",
    { secret: true },
  ),
  IMAGE_PROXY_ALLOWED_HOSTS: optional(
    hostList,
    "Hosts that the image proxy may fetch from: patterns like *.example.org, or `catalog`",
  ),
  IMAGE_PROXY_SIGNING_SECRET: optional(
    signingSecret,
    "Secret that signs URLs for the image proxy; if set, the proxy refuses unsigned URLs",
    { secret: true },
  ),
  IMAGE_CACHE_MB: variable(
    wholeNumber(1, 1_000_000),
    "Size of the cache of converted pictures in DATA_DIR, in MiB",
    { default: "2048" },
  ),
  TRUST_PROXY: variable(
    wholeNumber(0, 10),
    "How many proxies in front of the site are trusted to name the client's IP address",
    { default: "0" },
  ),
  ALLOW_PRIVATE_UPSTREAMS: optional(
    z
      .string()
      .refine((text) => parsePrivateUpstreams(text), "must be 0, 1, or a list of hosts, host:port and CIDRs"),
    "Private upstreams that the proxies may fetch from: 0 (none), 1 (all), or a list of hosts, host:port and CIDRs",
  ),
  MEDIA_DIR: optional(
    folderList,
    "Folder of your own films, or several absolute paths separated as in PATH (a colon; on Windows a semicolon)",
  ),
  MEDIA_BROWSE: optional(
    folderList,
    "Folders below which operators may choose media folders on the site, besides /mnt, /media, /srv, /data and the user's home; separated as in PATH",
  ),
  SCAN_EVERY: variable(
    wholeNumber(0, 100_000),
    "Minutes between two scans of MEDIA_DIR; 0: only at the start, by events and on request",
    { default: "60" },
  ),
  FILMS: optional(
    oneOf("members", "everyone"),
    "Who sees the films: members or everyone; unset: members, and in local mode everybody on this machine",
  ),
  FFMPEG: variable(
    z.string().regex(/^(?:auto|off|.*[/\\].*)$/, "must be auto, off, or the path of a program"),
    "Converts films that a browser cannot decode: auto looks for ffmpeg in PATH, off converts nothing with it, or a path",
    { default: "auto" },
  ),
  FFMPEG_ARGS: variable(
    z.string().transform((text) => text.split(/\s+/).filter((argument) => argument !== "")),
    "Arguments that ffmpeg gets for pictures after those of the site, such as those of a hardware encoder, separated by spaces",
    { default: "" },
  ),
  CONVERSIONS: optional(
    wholeNumber(0, 64),
    "Pictures that are converted at once; 0: sound only; unset: half as many as the cores, at least 1",
  ),
  FILM_CACHE_SIZE: optional(
    wholeNumber(1, 10_000_000),
    "MiB for converted films and extracted subtitles in DATA_DIR, and up to a quarter more for segments on their way; unset: a quarter of the free disk, 2048 to 32768",
  ),
  ...feedVariables,
  DETAILS: variable(
    flag,
    "0 forbids asking another site for details of titles, and for a member's list by name; otherwise an operator turns details on",
    { default: "1" },
  ),
  DETAILS_URL: variable(url("http"), "Address of AniList's API, which is asked for details of titles", {
    default: "https://graphql.anilist.co",
  }),
  DETAIL_PICTURES_MB: variable(
    wholeNumber(0, 10_000_000),
    "MiB of stored pictures that come with details of titles; more are not fetched",
    { default: "2000" },
  ),
  SIGNUPS: optional(
    oneOf("open", "invite", "code", "closed"),
    "Who may sign up: open, invite, code or closed; unset: what an operator chose on the page Setup, else open in local mode and where accounts are older than invitations, else invite",
  ),
  SIGNUP_CODE: optional(
    z.string().min(4, "needs at least 4 characters"),
    "Code that people must enter to sign up if SIGNUPS=code",
    { secret: true },
  ),
  VISITORS: optional(
    oneOf("yes", "no"),
    "no: without a session the site answers nothing but what signing in and signing up need; unset: what an operator chose on the page Setup, else yes",
  ),
  SITE_NAME: optional(
    z.string().max(60, "at most 60 characters"),
    "Name of your site, shown in the footer and where people sign in",
  ),
  LEGAL_URL: optional(
    url("http"),
    "Address of your legal notice (imprint), linked in the footer and where people sign in",
  ),
  PRIVACY_URL: optional(url("http"), "Address of your privacy policy, linked in the same places"),
  CONTACT: optional(
    z
      .string()
      .regex(/^(https?:\/\/\S+|[^\s@:/?]+@[^\s@:/?]+)$/, "must be an e-mail address or an http address"),
    "E-mail address or http address at which people reach you, linked in the same places",
  ),
  REQUESTS: variable(flag, "0 turns off wishes, with which members ask for films", { default: "1" }),
  INDEXING: variable(flag, "1 lets search engines index the site (robots.txt, sitemap)", { default: "0" }),
  JIKAN_API: variable(flag, "0 turns off /v4, the read API in the shapes of Jikan", { default: "1" }),
  PUBLIC_CACHE: variable(flag, "0 turns the cache of public answers off", { default: "1" }),
  OAUTH_ISSUER: optional(url("http"), "External identity provider (OpenID Connect discovery)"),
  OAUTH_CLIENT_ID: optional(headerValue, "Client id at that provider"),
  OAUTH_CLIENT_SECRET: optional(headerValue, "Client secret at that provider", { secret: true }),
  STORAGE: variable(oneOf("disk", "s3", "ipfs"), "Where stored pictures are kept: disk, s3 or ipfs", {
    default: "disk",
  }),
  S3_ENDPOINT: optional(url("http"), "URL of the S3-compatible service"),
  S3_BUCKET: optional(headerValue, "S3 bucket, which no other database may share"),
  S3_REGION: optional(headerValue, "S3 region"),
  S3_ACCESS_KEY_ID: optional(headerValue, "S3 access key", { secret: true }),
  S3_SECRET_ACCESS_KEY: optional(headerValue, "S3 secret key", { secret: true }),
  S3_PUBLIC_URL: optional(url("http"), "Public URL of the bucket"),
  IPFS_API_URL: optional(url("http"), "URL of the Kubo RPC API"),
  IPFS_API_TOKEN: optional(headerValue, "Bearer token for the Kubo RPC API", { secret: true }),
  IPFS_GATEWAY_URL: optional(url("http"), "URL of the public IPFS gateway"),
  UPLOAD_QUOTA: variable(
    wholeNumber(0, 1_000_000),
    "MiB of stored pictures that one account may have; a picture of several accounts counts for one",
    { default: "50" },
  ),
  MIN_FREE_DISK: variable(
    wholeNumber(0, 10_000_000),
    "MiB of free disk below which the site stores no more pictures on it and no more cache files",
    { default: "500" },
  ),
  REDIS_URL: optional(
    serverUrl("redis"),
    "Redis that shares rate limits and converted pictures between instances",
    { secret: true },
  ),
  MEMORY: optional(
    wholeNumber(128, 10_000_000),
    "Memory of the site with its children and its embedded database, in MiB; unset: that of the container or machine",
  ),
  CLIENT_REQUESTS: variable(
    wholeNumber(1, 1_000_000),
    "Requests of one client that are answered at the same time, or fewer if MEMORY is small; more get 503",
    { default: "500" },
  ),
  CLIENT_CONNECTIONS: variable(
    wholeNumber(1, 1_000_000),
    "Open connections of one client; unused if TRUST_PROXY is set, since proxies have many",
    { default: "1000" },
  ),
  RATE_LIMIT_POINTS: variable(
    wholeNumber(1, 1_000_000),
    "Requests of one client that a limited endpoint accepts in one window",
    { default: "100" },
  ),
  RATE_LIMIT_SECONDS: variable(wholeNumber(1, 86_400), "Length of that window in seconds", { default: "60" }),
  RATE_LIMIT_AUTH_POINTS: optional(
    wholeNumber(1, 1_000_000),
    "RATE_LIMIT_POINTS for sign-up, sign-in, passwords, PINs, mailed links, deleting an account and unknown access tokens; setup and codes of devices accept at most 20",
  ),
  RATE_LIMIT_CATALOG_POINTS: optional(
    wholeNumber(1, 1_000_000),
    "RATE_LIMIT_POINTS for the catalog; the search field of the site may ask six times as often",
  ),
  RATE_LIMIT_IMAGE_SECONDS: variable(
    wholeNumber(1, 86_400),
    "Seconds of converting pictures that one client may cause in a minute",
    { default: "30" },
  ),
  RATE_LIMIT_PLAYLIST_SECONDS: variable(
    wholeNumber(1, 86_400),
    "Seconds of rewriting playlists that one client may cause in a minute",
    { default: "10" },
  ),
  RATE_LIMIT_PAGE_POINTS: optional(
    wholeNumber(1, 1_000_000),
    "RATE_LIMIT_POINTS for pages and their data; unset: five times RATE_LIMIT_POINTS",
  ),
  RATE_LIMIT_VIDEO_POINTS: optional(wholeNumber(1, 1_000_000), "RATE_LIMIT_POINTS for the video proxy"),
} satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
export type Env = Readonly<{ [Name in VariableName]: z.output<(typeof variables)[Name]["schema"]> }> & {
  readonly production: boolean;
};

export class BadVariable extends CannotStart {
  override name = "BadVariable";
}

const requirements: [VariableName, (env: Env) => boolean, string][] = [
  [
    "SESSION_SECRET",
    (env) => env.production && env.DATABASE_URL !== undefined,
    "is required when DATABASE_URL is set. A site that ran without it has its secret in DATA_DIR/session-secret",
  ],
  [
    "DATABASE_URL",
    (env) => env.DATABASE_DIRECT_URL !== undefined,
    "is required when DATABASE_DIRECT_URL is set",
  ],
  [
    "PUBLIC_URL",
    (env) => env.SMTP_URL !== undefined || env.OAUTH_ISSUER !== undefined,
    "is required with SMTP_URL or OAUTH_*",
  ],
  ["MAIL_FROM", (env) => env.SMTP_URL !== undefined, "is required with SMTP_URL"],
  ["CATALOG_SHARE_TOKEN", (env) => env.CATALOG_SHARE === "token", "is required with CATALOG_SHARE=token"],
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

/**
 * In development and in local mode, pages on this machine are same-site, so browsers send them the cookie over http too.
 */
const needsHttpsForCors = (env: Env) =>
  env.production && !isLocalMode(env)
    ? env.CORS_ORIGINS.length > 0
    : !env.CORS_ORIGINS.every(isLoopbackOrigin);

/** An empty variable counts as unset, because compose files and `.env` write an unset variable that way. */
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
  for (const [name, isNeeded, why] of requirements)
    if (env[name] === undefined && isNeeded(env)) throw new BadVariable(`${name}: ${why}`);
  if (needsHttpsForCors(env) && !env.PUBLIC_URL?.startsWith("https:"))
    throw new BadVariable(
      "CORS_ORIGINS: needs a PUBLIC_URL that begins with https://, because browsers send cookies to other sites only over https",
    );
  if (env.METRICS_PORT !== undefined && env.METRICS_PORT === env.PORT && env.PORT !== 0)
    throw new BadVariable("METRICS_PORT: must be another port than PORT");
  return Object.freeze(env);
}

/** The variables set by the shell. `npm run config` distinguishes them from those of `.env`, which is loaded later. */
export const setByShell: ReadonlySet<string> = new Set(
  Object.keys(variables).filter((name) => process.env[name]),
);

export const env: Env = readEnvironment();

/** The values before parsing, for `npm run config`. */
export const rawEnvironment: Readonly<Record<string, string | undefined>> = process.env;

function readEnvironment() {
  try {
    if (existsSync(".env")) loadEnvFile();
    return parseEnv(process.env);
  } catch (error) {
    return endProcess(
      error instanceof BadVariable
        ? error
        : new CannotStart(`.env cannot be read: ${(error as Error).message}`),
    );
  }
}

/** Some editors begin the file with a byte order mark, which would be part of the first name. */
function loadEnvFile() {
  const values = parseEnvFile(readFileSync(".env", "utf8").replace(/^\uFEFF/, ""));
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

/**
 * The environment of child processes. It contains no secrets, because a hostile file may take over the child that
 * decodes it.
 */
export const bareEnvironment: Record<string, string> = Object.fromEntries(
  ["PATH", "SystemRoot", "TEMP", "TMPDIR", "LANG"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
