/** A difference that no player and no viewer notices. */
const minLateSeconds = 0.1;

/**
 * If the picture of a film begins later than the film, its first picture is shown from the beginning on. hls.js takes the
 * first picture for the beginning, and would show it and the sound too early for the subtitles and the length.
 * `pictures`: those of the first segment.
 */
export function shownFromZero<Picture extends { seconds: number; duration: number }>(
  pictures: readonly Picture[],
): Picture[] {
  const first = Math.min(...pictures.map(({ seconds }) => seconds));
  if (first < minLateSeconds) return [...pictures];
  return pictures.map((picture) =>
    picture.seconds === first ? { ...picture, seconds: 0, duration: picture.duration + first } : picture,
  );
}
