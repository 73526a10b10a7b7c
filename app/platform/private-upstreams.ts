import {
  type AddressKind,
  classifyAddress,
  isInRange,
  parseAddress,
  parseRange,
  type Range,
} from "./addresses.ts";

/** The rule of `ALLOW_PRIVATE_UPSTREAMS`: which addresses that are not public may be reached all the same. */
export type Allowance = {
  everything: boolean;
  ranges: { range: Range; port: string | undefined }[];
  hosts: { name: string; port: string | undefined }[];
};

export const nothingAllowed: Allowance = { everything: false, ranges: [], hosts: [] };

const listed = /^(?<host>\[[0-9a-f:.]+\]|[^:/\s]+)(?::(?<port>\d{1,5}))?$/i;

/** Who writes `yes` means no host of that name. */
const hostName = /^(?!(?:yes|no|true|false|on|off)$)(?![\d.]+$)[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** `0`, `1`, or a comma list of hosts, host:port and CIDRs. Null: not understood. */
export function parseAllowance(text: string | undefined): Allowance | null {
  const value = text?.trim() ?? "";
  if (value === "" || value === "0") return nothingAllowed;
  if (value === "1") return { ...nothingAllowed, everything: true };
  const allowance: Allowance = { everything: false, ranges: [], hosts: [] };
  for (const item of value.split(",").map((part) => part.trim())) {
    const range = parseRange(item);
    if (range) {
      allowance.ranges.push({ range, port: undefined });
      continue;
    }
    const { host, port } = listed.exec(item)?.groups ?? {};
    if (host === undefined || Number(port ?? 1) > 65535 || Number(port ?? 1) === 0) return null;
    const single = parseRange(host);
    if (single) allowance.ranges.push({ range: single, port });
    else if (hostName.test(host)) allowance.hosts.push({ name: new URL(`http://${host}`).hostname, port });
    else return null;
  }
  return allowance;
}

export type Verdict =
  | { ok: true; reach: "public" | "private" | "local" }
  | {
      ok: false;
      /** ALLOW_PRIVATE_UPSTREAMS could open this address. */
      settingWouldAllow: boolean;
    };

const openable = new Set<AddressKind>(["loopback", "private"]);

/**
 * May this address be reached for this URL? `local`: only since the request itself may name loopback upstreams,
 * so that nobody else may be given what it fetched.
 */
export function judgeAddress(
  url: URL,
  addressText: string,
  allowance: Allowance,
  mayReachLoopback: boolean,
): Verdict {
  const address = parseAddress(addressText);
  if (!address) return { ok: false, settingWouldAllow: false };
  const kind = classifyAddress(address);
  if (kind === "public") return { ok: true, reach: "public" };
  if (!openable.has(kind)) return { ok: false, settingWouldAllow: false };
  if (isAllowed(url, address, allowance)) return { ok: true, reach: "private" };
  if (kind === "loopback" && mayReachLoopback) return { ok: true, reach: "local" };
  return { ok: false, settingWouldAllow: true };
}

function isAllowed(url: URL, address: Uint8Array, { everything, ranges, hosts }: Allowance): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const portFits = (wanted: string | undefined) => wanted === undefined || wanted === port;
  return (
    everything ||
    ranges.some(({ range, port: wanted }) => portFits(wanted) && isInRange(address, range)) ||
    hosts.some(({ name, port: wanted }) => portFits(wanted) && name === url.hostname)
  );
}
