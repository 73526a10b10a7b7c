/** One city for each offset people live by, from west to east; the viewer's own is added when it is another. */
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

const cityOf = (zone: string) => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;

/** `isInstant`: a choice is sent at once, where there is nothing else to fill in. */
export function TimeZoneSelect({ chosen, isInstant = false }: { chosen: string; isInstant?: boolean }) {
  const shown = zones.includes(chosen) ? zones : [chosen, ...zones];
  return (
    <label className="field">
      <span className="field-name">Time zone</span>
      <select
        className="select"
        name="timeZone"
        key={chosen}
        defaultValue={chosen}
        onChange={(event) => isInstant && event.currentTarget.form?.requestSubmit()}
      >
        {shown.map((zone) => (
          <option key={zone} value={zone}>
            {cityOf(zone)}
          </option>
        ))}
      </select>
    </label>
  );
}
