import { classifyIp, type IpKind, type IpRange, isInIpRange, parseIp, parseIpRange } from "./ip-addresses.ts";

/** The parsed `ALLOW_PRIVATE_UPSTREAMS`: the private upstreams that may be fetched from. */
export type PrivateUpstreams = {
  everything: boolean;
  ranges: { range: IpRange; port: string | undefined }[];
  hosts: { name: string; port: string | undefined }[];
};

export const noPrivateUpstreams: PrivateUpstreams = { everything: false, ranges: [], hosts: [] };
export const allPrivateUpstreams: PrivateUpstreams = { ...noPrivateUpstreams, everything: true };

const listItemPattern = /^(?<host>\[[0-9a-f:.]+\]|[^:/\s]+)(?::(?<port>\d{1,5}))?$/i;

/** Refuses `yes` and similar words, because they are meant as a switch, not as a host name. */
const hostName = /^(?!(?:yes|no|true|false|on|off)$)(?![\d.]+$)[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/** Parses `0`, `1`, or a comma-separated list of hosts, host:port and CIDRs. Returns null for anything else. */
export function parsePrivateUpstreams(text: string | undefined): PrivateUpstreams | null {
  const value = text?.trim() ?? "";
  if (value === "" || value === "0") return noPrivateUpstreams;
  if (value === "1") return allPrivateUpstreams;
  const allowed: PrivateUpstreams = { everything: false, ranges: [], hosts: [] };
  for (const item of value.split(",").map((part) => part.trim())) {
    const range = parseIpRange(item);
    if (range) {
      allowed.ranges.push({ range, port: undefined });
      continue;
    }
    const { host, port } = listItemPattern.exec(item)?.groups ?? {};
    if (host === undefined || Number(port ?? 1) > 65535 || Number(port ?? 1) === 0) return null;
    const single = parseIpRange(host);
    if (single) allowed.ranges.push({ range: single, port });
    else if (hostName.test(host)) allowed.hosts.push({ name: new URL(`http://${host}`).hostname, port });
    else return null;
  }
  return allowed;
}

type IpJudgement =
  | { ok: true; reach: "public" | "private" | "local" }
  | {
      ok: false;
      /** True if ALLOW_PRIVATE_UPSTREAMS can allow this IP address. */
      settingWouldAllow: boolean;
    };

const allowableKinds = new Set<IpKind>(["loopback", "private"]);

/**
 * Decides whether this URL may be fetched from this IP address. `local` means that only this client may name loopback
 * upstreams, so the answer must not be shared with other clients.
 */
export function judgeIp(
  url: URL,
  ip: string,
  allowed: PrivateUpstreams,
  mayReachLoopback: boolean,
): IpJudgement {
  const bytes = parseIp(ip);
  if (!bytes) return { ok: false, settingWouldAllow: false };
  const kind = classifyIp(bytes);
  if (kind === "public") return { ok: true, reach: "public" };
  if (!allowableKinds.has(kind)) return { ok: false, settingWouldAllow: false };
  if (isAllowed(url, bytes, allowed)) return { ok: true, reach: "private" };
  if (kind === "loopback" && mayReachLoopback) return { ok: true, reach: "local" };
  return { ok: false, settingWouldAllow: true };
}

function isAllowed(url: URL, ip: Uint8Array, { everything, ranges, hosts }: PrivateUpstreams): boolean {
  const portFits = (wanted: string | undefined) => wanted === undefined || wanted === portOf(url);
  return (
    everything ||
    ranges.some(({ range, port: wanted }) => portFits(wanted) && isInIpRange(ip, range)) ||
    hosts.some(({ name, port: wanted }) => portFits(wanted) && name === url.hostname)
  );
}

/** The port of an http or https URL, also if it is the default port, which `url.port` leaves out. */
export const portOf = ({ port, protocol }: URL) => port || (protocol === "https:" ? "443" : "80");
