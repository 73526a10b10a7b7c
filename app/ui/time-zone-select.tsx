import type { zonesWith } from "./time-zones.ts";

type Props = { chosen: string; zones: ReturnType<typeof zonesWith>; isInstant?: boolean };

/** `isInstant`: a choice is sent at once, where there is nothing else to fill in. */
export function TimeZoneSelect({ chosen, zones, isInstant = false }: Props) {
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
        {zones.map(([zone, city]) => (
          <option key={zone} value={zone}>
            {city}
          </option>
        ))}
      </select>
    </label>
  );
}
