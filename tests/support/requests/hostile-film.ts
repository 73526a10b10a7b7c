/** Requests every subtitle, font and segment that the site offers for a film. */

type Episode = { video_url: string | null; subtitles: { url: string; label: string }[] };

async function ask(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}
const statusOf = async (url: string) => (await ask(url)).status;

async function episodeOf(origin: string, episode: number): Promise<Episode> {
  const { text } = await ask(`${origin}/api/episodes/getEpisode?mal_id=1&ep=${episode}`);
  return (JSON.parse(text) as { data: Episode }).data;
}

/** The statuses of each track as WebVTT and as a script, and of three fonts. */
export async function askForSubtitles(origin: string, episode: number) {
  const { subtitles } = await episodeOf(origin, episode);
  const statuses: number[] = [];
  for (const { url } of subtitles) {
    statuses.push(await statusOf(url), await statusOf(url.replace(/vtt$/, "ass")));
    for (const name of ["font-0", "font-99", "font-999"])
      statuses.push(await statusOf(url.replace(/[^/]*$/, name)));
  }
  return { labels: subtitles.map(({ label }) => label), statuses };
}

/** The statuses of the playlists, of all URLs in them, of the fonts, and of the page. */
export async function askForSegments(origin: string, episode: number) {
  const { video_url, subtitles } = await episodeOf(origin, episode);
  const statuses = video_url === null ? [] : await statusesBelow(video_url);
  const fonts: number[] = [];
  for (const { url } of subtitles) fonts.push(await statusOf(url.replace(/[^/]*$/, "font-0")));
  return { statuses, fonts, page: await statusOf(`${origin}/watch/1/${episode}`) };
}

async function statusesBelow(url: string): Promise<number[]> {
  const { status, text } = await ask(url);
  const below = text.startsWith("#EXTM3U")
    ? [...text.matchAll(/URI="([^"]+)"|^([^#\s].*)$/gm)].map(([, quoted, line]) => quoted ?? line ?? "")
    : [];
  const found: number[] = [status];
  for (const one of new Set(below)) found.push(...(await statusesBelow(new URL(one, url).href)));
  return found;
}
