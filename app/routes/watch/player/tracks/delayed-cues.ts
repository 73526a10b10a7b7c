/** The times of each cue as the file has them. */
const written = new WeakMap<TextTrackCue, { start: number; end: number }>();

/** Delays the cues of a text track by these seconds. A negative number shows them earlier. */
export function delayCues(track: TextTrack, seconds: number) {
  // A copy of the list, because the browser sorts the cues by time.
  for (const cue of [...(track.cues ?? [])]) {
    const times = written.get(cue) ?? { start: cue.startTime, end: cue.endTime };
    written.set(cue, times);
    const start = Math.max(0, times.start + seconds);
    const end = Math.max(0, times.end + seconds);
    if (cue.startTime === start && cue.endTime === end) continue;
    cue.startTime = start;
    cue.endTime = end;
  }
}
