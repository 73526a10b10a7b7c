/** A city for each common UTC offset, from west to east. Loaders send the list, so that browsers load it only once. */
const zones = [
  "Pacific/Honolulu",
  "America/Anchorage",
  "America/Los_Angeles",
  "America/Denver",
  "America/Chicago",
  "America/Mexico_City",
  "America/New_York",
  "America/Bogota",
  "America/Halifax",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/Argentina/Buenos_Aires",
  "Atlantic/Azores",
  "UTC",
  "Europe/London",
  "Africa/Lagos",
  "Europe/Berlin",
  "Europe/Athens",
  "Africa/Johannesburg",
  "Africa/Cairo",
  "Europe/Istanbul",
  "Europe/Moscow",
  "Asia/Tehran",
  "Asia/Dubai",
  "Asia/Karachi",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Dhaka",
  "Asia/Bangkok",
  "Asia/Jakarta",
  "Asia/Shanghai",
  "Asia/Manila",
  "Australia/Perth",
  "Asia/Seoul",
  "Asia/Tokyo",
  "Australia/Adelaide",
  "Australia/Sydney",
  "Pacific/Auckland",
];

/** "New York" for `America/New_York`. */
export const cityOf = (zone: string) => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;

/** The time zones with their labels. The viewer's own comes first if it is not among them. */
export const listZonesWith = (own: string) =>
  (zones.includes(own) ? zones : [own, ...zones]).map((zone) => [zone, cityOf(zone)] as const);
