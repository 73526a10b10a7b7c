import type postgres from "postgres";

type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** `?host=/folder` names a Unix socket, as libpq has it; the driver takes that as a path only. */
export function driverArguments(address: string, options: DriverOptions): [string, DriverOptions] {
  const url = new URL(address);
  const folder = url.searchParams.get("host");
  if (!folder?.startsWith("/")) return [address, options];
  url.searchParams.delete("host");
  return [url.href, { ...options, path: `${folder}/.s.PGSQL.${url.port || 5432}` }];
}
