import type { AnimeSeason } from "#app/domain/calendar/calendar.ts";

export const seasonPath = ({ year, season }: AnimeSeason) => `/seasons/${year}/${season.toLowerCase()}`;
export const seasonLabel = ({ year, season }: AnimeSeason) => `${season} ${year}`;
