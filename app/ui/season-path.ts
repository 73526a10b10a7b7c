import type { Season } from "#app/domain/calendar/calendar.ts";

export const seasonPath = ({ year, season }: Season) => `/seasons/${year}/${season.toLowerCase()}`;
export const seasonLabel = ({ year, season }: Season) => `${season} ${year}`;
