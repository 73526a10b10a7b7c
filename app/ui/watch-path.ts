export const watchPath = (malId: number, episode: number) => `/watch/${malId}/${episode}`;
