import type postgres from "postgres";

export type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** libpq accepts `?host=/folder` in a URL for a Unix socket. postgres.js accepts a socket only as its `path` option. */
export function driverArguments(databaseUrl: string, options: DriverOptions): [string, DriverOptions] {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get("host");
  if (!folder?.startsWith("/")) return [databaseUrl, options];
  url.searchParams.delete("host");
  return [url.href, { ...options, path: `${folder}/.s.PGSQL.${url.port || 5432}` }];
}
