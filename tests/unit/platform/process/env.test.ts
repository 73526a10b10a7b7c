import { describe, expect, test } from "vitest";
import { BadVariable, parseEnv, type VariableName, variables } from "#app/platform/process/env.server.ts";

/** A bad value of each variable; null for paths, which are checked at the start. */
const bad: Record<VariableName, string | null> = {
  PORT: "70000",
  HOST: "http://0.0.0.0",
  DATABASE_URL: "mysql://db/engawa",
  DATABASE_DIRECT_URL: "http://db/engawa",
  DATA_DIR: null,
  SESSION_SECRET: "short",
  PUBLIC_URL: "example.org",
  SMTP_URL: "mail.example.org",
  MAIL_FROM: "Engawa",
  CORS_ORIGINS: "https://one.example.org,two.example.org",
  METRICS_PORT: "on",
  LOG_LEVEL: "loud",
  PROXY_ALLOWED_HOSTS: "one.example.org two.example.org",
  PROXY_SIGNING_SECRET: "short",
  IMAGE_PROXY_ALLOWED_HOSTS: "one.example.org two.example.org",
  IMAGE_PROXY_SIGNING_SECRET: "short",
  IMAGE_CACHE_MB: "2 GB",
  TRUST_PROXY: "true",
  ALLOW_PRIVATE_UPSTREAMS: "10.0.0.0/99",
  SCAN_EVERY: "1h",
  FILMS: "nobody",
  MEDIA_DIR: null,
  MEDIA_BROWSE: null,
  REQUESTS: "off",
  FFMPEG: "always",
  FFMPEG_ARGS: null,
  CONVERSIONS: "-1",
  FILM_CACHE_SIZE: "0",
  CATALOG_FEEDS: "offline-database 7d ftp://example.org/catalog.json",
  CATALOG_FEED_TOKENS: "no-token-behind-the-host",
  FULL_CATALOG_URL: "file:///etc/passwd",
  CATALOG_SHARE: "everybody",
  CATALOG_SHARE_TOKEN: "short",
  DETAILS: "off",
  DETAILS_URL: "graphql.anilist.co",
  DETAIL_PICTURES_MB: "2 GB",
  SIGNUPS: "maybe",
  SIGNUP_CODE: "abc",
  VISITORS: "1",
  INDEXING: "yes",
  SITE_NAME: "x".repeat(61),
  LEGAL_URL: "imprint",
  PRIVACY_URL: "javascript:alert(1)",
  CONTACT: "call me",
  JIKAN_API: "off",
  PUBLIC_CACHE: "off",
  OAUTH_ISSUER: "accounts.example.org",
  OAUTH_CLIENT_ID: "engawa\n",
  OAUTH_CLIENT_SECRET: "hidden\n",
  STORAGE: "tape",
  S3_ENDPOINT: "s3.example.org",
  S3_BUCKET: "縁側",
  S3_REGION: "south\n",
  S3_ACCESS_KEY_ID: "hidden\n",
  S3_SECRET_ACCESS_KEY: "hidden\n",
  S3_PUBLIC_URL: "/pictures",
  IPFS_API_URL: "127.0.0.1:5001",
  IPFS_API_TOKEN: "hidden\n",
  IPFS_GATEWAY_URL: "ipfs://gateway",
  UPLOAD_QUOTA: "50 MB",
  MIN_FREE_DISK: "5%",
  REDIS_URL: "127.0.0.1:6379",
  CLIENT_REQUESTS: "0",
  CLIENT_CONNECTIONS: "many",
  RATE_LIMIT_POINTS: "0",
  MEMORY: "512M",
  RATE_LIMIT_SECONDS: "1.5",
  RATE_LIMIT_AUTH_POINTS: "many",
  RATE_LIMIT_IMAGE_SECONDS: "0",
  RATE_LIMIT_PLAYLIST_SECONDS: "-1",
  RATE_LIMIT_CATALOG_POINTS: "-1",
  RATE_LIMIT_PAGE_POINTS: "0",
  RATE_LIMIT_VIDEO_POINTS: "2000000",
};

function refusalOf(source: Record<string, string>) {
  try {
    parseEnv(source);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(BadVariable);
    return (error as Error).message;
  }
}

describe("a bad value is refused with one line that names the variable and contains no secret", () => {
  const cases = Object.entries(bad).filter((one): one is [VariableName, string] => one[1] !== null);
  test.each(cases)("%s", (name, value) => {
    const message = refusalOf({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name}: [^\\n]+$`));
    expect(message).not.toMatch(/invalid|expected|received/i);
    if ("secret" in variables[name]) expect(message).not.toContain(value.trim());
  });
});

test.each([
  ["DATABASE_URL", "postgres://engawa:50%@db/engawa"],
  ["REDIS_URL", "redis://:50%@redis"],
])("a password in %s with a lone percent sign is refused", (name, value) => {
  expect(refusalOf({ [name]: value })).toBe(
    `${name}: must have %25 in the place of each % in its user name and password`,
  );
});

test("METRICS_PORT must differ from PORT", () => {
  expect(refusalOf({ PORT: "4000", METRICS_PORT: "4000" })).toMatch(/^METRICS_PORT: must be another port/);
  expect(refusalOf({ PORT: "0", METRICS_PORT: "0" })).toBe("");
});

test("PUBLIC_URL with a path is refused", () => {
  expect(refusalOf({ PUBLIC_URL: "https://example.org/engawa" })).toMatch(/^PUBLIC_URL: must be an origin/);
});

test("the defaults and a complete production environment are accepted", () => {
  expect(refusalOf({})).toBe("");
  expect(
    refusalOf({
      NODE_ENV: "production",
      DATABASE_URL: "postgres://engawa:pass@db.example.org/engawa",
      SESSION_SECRET: `${"a".repeat(32)},${"b".repeat(32)}`,
      PUBLIC_URL: "https://watch.example.org",
      SMTP_URL: "smtps://mail.example.org",
      MAIL_FROM: "Engawa <engawa@example.org>",
      HOST: "::1",
      PROXY_ALLOWED_HOSTS: "catalog, *.example.org, films.example.org:8443",
      CORS_ORIGINS: "https://other.example.org",
    }),
  ).toBe("");
});

test.each([
  ["SESSION_SECRET", { NODE_ENV: "production", DATABASE_URL: "postgres://db/engawa" }],
  ["PUBLIC_URL", { SMTP_URL: "smtp://mail", MAIL_FROM: "a@example.org" }],
  ["MAIL_FROM", { SMTP_URL: "smtp://mail", PUBLIC_URL: "https://watch.example.org" }],
  ["SIGNUP_CODE", { SIGNUPS: "code" }],
  ["CATALOG_SHARE_TOKEN", { CATALOG_SHARE: "token" }],
  ["OAUTH_CLIENT_ID", { OAUTH_ISSUER: "https://id.example.org", PUBLIC_URL: "https://watch.example.org" }],
  ["OAUTH_ISSUER", { OAUTH_CLIENT_ID: "engawa" }],
  ["S3_ENDPOINT", { STORAGE: "s3" }],
  ["IPFS_API_URL", { STORAGE: "ipfs" }],
  ["CORS_ORIGINS", { NODE_ENV: "production", CORS_ORIGINS: "https://other.example.org" }],
])("%s is required if another variable needs it", (name, source) => {
  expect(refusalOf(source)).toMatch(new RegExp(`^${name}: (is required|needs)`));
});

const publicUrl = "https://watch.example.org";
test.each([
  ["a pattern", { CORS_ORIGINS: "https://*.example.org", PUBLIC_URL: publicUrl }],
  ["an http origin", { CORS_ORIGINS: "http://app.example.org", PUBLIC_URL: publicUrl }],
  [
    "an http origin after an https one",
    { CORS_ORIGINS: "https://a.example,http://b.example", PUBLIC_URL: publicUrl },
  ],
  [
    "a host that begins like a loopback one",
    { CORS_ORIGINS: "http://localhost.example.org", PUBLIC_URL: publicUrl },
  ],
  ["an https origin without PUBLIC_URL", { CORS_ORIGINS: "https://app.example.org" }],
  [
    "an https origin for a site on http",
    { CORS_ORIGINS: "https://app.example.org", PUBLIC_URL: "http://watch.example.org" },
  ],
  [
    "a loopback origin in production without https and outside of local mode",
    { CORS_ORIGINS: "http://localhost:5173", NODE_ENV: "production", HOST: "0.0.0.0" },
  ],
])("CORS_ORIGINS with %s is refused", (_, source) => {
  expect(refusalOf(source)).toMatch(/^CORS_ORIGINS: [^\n]*https/);
});

test("CORS_ORIGINS may name http origins on this machine, in development and in local mode", () => {
  for (const origin of ["http://localhost:5173", "http://127.0.0.1:8080", "http://[::1]:8080"]) {
    for (const NODE_ENV of ["development", "production"])
      expect(refusalOf({ CORS_ORIGINS: origin, NODE_ENV }), origin).toBe("");
    expect(refusalOf({ CORS_ORIGINS: origin, PUBLIC_URL: publicUrl, NODE_ENV: "production" }), origin).toBe(
      "",
    );
  }
});
