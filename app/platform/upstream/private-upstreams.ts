import { classifyIp, type IpKind, type IpRange, isInIpRange, parseIp, parseIpRange } from "./ip-addresses.ts";

/** The rule of `ALLOW_PRIVATE_UPSTREAMS`: which addresses that are not public may be reached all the same. */
export type PrivateUpstreams = {
  everything: boolean;
  ranges: { range: IpRange; port: string | undefined }[];
  hosts: { name: string; port: string | undefined }[];
};

export const noPrivateUpstreams: PrivateUpstreams = { everything: false, ranges: [], hosts: [] };

const listItemPattern = /^(?<host>\[[0-9a-f:.]+\]|[^:/\s]+)(?::(?<port>\d{1,5}))?$/i;

/** Who writes `yes` means no host of that name. */
const hostName = /^(?!(?:yes|no|true|false|on|off)$)(?![\d.]+$)[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** `0`, `1`, or a comma list of hosts, host:port and CIDRs. Null: not understood. */
export function parsePrivateUpstreams(text: string | undefined): PrivateUpstreams | null {
  const value = text?.trim() ?? "";
  if (value === "" || value === "0") return noPrivateUpstreams;
  if (value === "1") return { ...noPrivateUpstreams, everything: true };
  const allowance: PrivateUpstreams = { everything: false, ranges: [], hosts: [] };
  for (const item of value.split(",").map((part) => part.trim())) {
    const range = parseIpRange(item);
    if (range) {
      allowance.ranges.push({ range, port: undefined });
      continue;
    }
    const { host, port } = listItemPattern.exec(item)?.groups ?? {};
    if (host === undefined || Number(port ?? 1) > 65535 || Number(port ?? 1) === 0) return null;
    const single = parseIpRange(host);
    if (single) allowance.ranges.push({ range: single, port });
    else if (hostName.test(host)) allowance.hosts.push({ name: new URL(`http://${host}`).hostname, port });
    else return null;
  }
  return allowance;
}

type IpVerdict =
  | { ok: true; reach: "public" | "private" | "local" }
  | {
      ok: false;
      /** ALLOW_PRIVATE_UPSTREAMS could open this address. */
      settingWouldAllow: boolean;
    };

const openableKinds = new Set<IpKind>(["loopback", "private"]);

/**
 * May this address be reached for this URL? `local`: only since the request itself may name loopback upstreams,
 * so that nobody else may be given what it fetched.
 */
export function judgeIp(
  url: URL,
  addressText: string,
  allowance: PrivateUpstreams,
  mayReachLoopback: boolean,
): IpVerdict {
  const address = parseIp(addressText);
  if (!address) return { ok: false, settingWouldAllow: false };
  const kind = classifyIp(address);
  if (kind === "public") return { ok: true, reach: "public" };
  if (!openableKinds.has(kind)) return { ok: false, settingWouldAllow: false };
  if (isAllowed(url, address, allowance)) return { ok: true, reach: "private" };
  if (kind === "loopback" && mayReachLoopback) return { ok: true, reach: "local" };
  return { ok: false, settingWouldAllow: true };
}

function isAllowed(url: URL, address: Uint8Array, { everything, ranges, hosts }: PrivateUpstreams): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const portFits = (wanted: string | undefined) => wanted === undefined || wanted === port;
  return (
    everything ||
    ranges.some(({ range, port: wanted }) => portFits(wanted) && isInIpRange(address, range)) ||
    hosts.some(({ name, port: wanted }) => portFits(wanted) && name === url.hostname)
  );
}
