import { isIPv4, isIPv6 } from "node:net";

/**
 * Classifies IP addresses by their bytes. The ranges are those of IANA's special-purpose registries (RFC 6890). An IPv6
 * address outside all ranges of the table counts as reserved, not as public.
 */

export type IpKind = "public" | "loopback" | "private" | "link_local" | "metadata" | "reserved";

export type IpRange = { bytes: Uint8Array; bits: number };

/** Returns the 4 or 16 bytes of an IP address in one of its usual text forms, or null. Ignores a zone id. */
export function parseIp(text: string): Uint8Array | null {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (isIPv4(bare)) return Uint8Array.from(bare.split("."), Number);
  return isIPv6(bare) ? ipv6Bytes(bare) : null;
}

/** The 16 bytes of a text that is an IPv6 address. */
function ipv6Bytes(text: string): Uint8Array {
  const withoutDots = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [a * 256 + Number(b), c * 256 + Number(d)].map((group) => group.toString(16)).join(":"),
  );
  const [front = [], back = []] = withoutDots.split("::").map((side) => side.split(":").filter(Boolean));
  const zeros = new Array<string>(8 - front.length - back.length).fill("0");
  return Uint8Array.from(
    [...front, ...zeros, ...back].flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    }),
  );
}

/** Parses `10.0.0.0/8`, `fd00::/8`, or a single address. */
export function parseIpRange(text: string): IpRange | null {
  const [address = "", prefix, ...rest] = text.split("/");
  const bytes = parseIp(address);
  if (!bytes || rest.length > 0) return null;
  if (prefix === undefined) return { bytes, bits: bytes.length * 8 };
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bytes.length * 8) return null;
  return { bytes, bits: Number(prefix) };
}

export function isInIpRange(address: Uint8Array, { bytes, bits }: IpRange): boolean {
  if (address.length !== bytes.length) return false;
  for (let at = 0; at * 8 < bits; at++) {
    const mask = bits - at * 8 >= 8 ? 255 : (0xff00 >> (bits - at * 8)) & 255;
    if (((address[at] ?? 0) & mask) !== ((bytes[at] ?? 0) & mask)) return false;
  }
  return true;
}

const table = (rows: [IpKind, string][]) => rows.map(([kind, text]) => ({ kind, range: rangeOf(text) }));

/** The first match decides. Cloud providers serve credentials at the metadata addresses, so no setting allows them. */
const ipv4Kinds = table([
  ["metadata", "169.254.169.254"],
  ["metadata", "169.254.170.2"],
  ["metadata", "100.100.100.200"],
  ["metadata", "192.0.0.192"],
  ["metadata", "168.63.129.16"],
  ["loopback", "127.0.0.0/8"],
  ["private", "10.0.0.0/8"],
  ["private", "172.16.0.0/12"],
  ["private", "192.168.0.0/16"],
  ["private", "100.64.0.0/10"],
  ["private", "198.18.0.0/15"],
  ["link_local", "169.254.0.0/16"],
  ["reserved", "0.0.0.0/8"],
  ["reserved", "192.0.0.0/24"],
  ["reserved", "192.0.2.0/24"],
  ["reserved", "192.88.99.0/24"],
  ["reserved", "198.51.100.0/24"],
  ["reserved", "203.0.113.0/24"],
  ["reserved", "224.0.0.0/3"],
  ["public", "0.0.0.0/0"],
]);

const ipv6Kinds = table([
  ["loopback", "::1"],
  ["metadata", "fd00:ec2::254"],
  ["metadata", "fd20:ce::254"],
  ["private", "64:ff9b:1::/48"],
  ["private", "fc00::/7"],
  ["private", "fec0::/10"],
  ["link_local", "fe80::/10"],
  ["reserved", "2001:2::/48"],
  ["reserved", "2001:10::/28"],
  ["reserved", "2001:20::/28"],
  ["reserved", "2001:db8::/32"],
  ["reserved", "3fff::/20"],
  ["public", "2000::/3"],
  ["reserved", "::/0"],
]);

/**
 * IPv6 ranges whose addresses contain an IPv4 address, and its offset. With `isWhole`, only the IPv4 address decides
 * the kind. With `isInverted`, its bits are inverted (Teredo, RFC 4380).
 */
const embeddedIpv4Ranges: { range: IpRange; offset: number; isInverted?: true; isWhole?: true }[] = [
  { range: rangeOf("::ffff:0:0/96"), offset: 12, isWhole: true },
  { range: rangeOf("::ffff:0:0:0/96"), offset: 12 },
  { range: rangeOf("64:ff9b::/96"), offset: 12, isWhole: true },
  { range: rangeOf("::/96"), offset: 12 },
  { range: rangeOf("2002::/16"), offset: 2, isWhole: true },
  { range: rangeOf("2001::/32"), offset: 4 },
  { range: rangeOf("2001::/32"), offset: 12, isInverted: true },
];

function rangeOf(text: string): IpRange {
  const range = parseIpRange(text);
  if (!range) throw new Error(`not a range: ${text}`);
  return range;
}

const kindIn = (kinds: typeof ipv4Kinds, address: Uint8Array) =>
  kinds.find(({ range }) => isInIpRange(address, range))?.kind ?? "reserved";

/**
 * Returns the kind of an IP address. An IPv6 address that contains a non-public IPv4 address gets the kind of the IPv4
 * address, because a gateway may route it there.
 */
export function classifyIp(address: Uint8Array): IpKind {
  if (address.length === 4) return kindIn(ipv4Kinds, address);
  const ipv6Kind = kindIn(ipv6Kinds, address);
  if (ipv6Kind === "loopback") return ipv6Kind;
  for (const { range, offset, isInverted, isWhole } of embeddedIpv4Ranges) {
    if (!isInIpRange(address, range)) continue;
    const embedded = address.slice(offset, offset + 4).map((byte) => (isInverted ? byte ^ 255 : byte));
    const kind = kindIn(ipv4Kinds, embedded);
    if (kind !== "public" || isWhole) return kind;
  }
  if (!isIsatap(address)) return ipv6Kind;
  const kind = kindIn(ipv4Kinds, address.slice(12));
  // A public IPv4 address does not make the address of a private network public.
  return kind === "public" ? ipv6Kind : kind;
}

/** ISATAP (RFC 5214): the interface id ::0:5efe:a.b.c.d routes to the IPv4 address a.b.c.d. */
const isIsatap = (address: Uint8Array) =>
  ((address[8] ?? 0) & 0xfd) === 0 && address[9] === 0 && address[10] === 0x5e && address[11] === 0xfe;
