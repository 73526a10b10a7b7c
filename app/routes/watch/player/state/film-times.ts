import type Hls from "hls.js";
import type { FragLoadedData, HlsConfig, MediaFragment } from "hls.js";

type StreamController = HlsConfig["streamController"];

/**
 * The segments of this site's films state the times of their playlists, and pictures are decoded a quarter of a second
 * before they are shown. hls.js would take the decode time of the first segment that it loads for the time of the
 * playlist, so that a film that resumes in its middle would be later than its subtitles and chapters.
 */
export function withFilmTimes({ Events }: typeof Hls, Usual: StreamController): StreamController {
  return class FilmTimes extends Usual {
    protected override _handleFragmentLoadProgress(data: FragLoadedData) {
      const frag = data.frag as MediaFragment;
      const init = frag.initSegment?.data;
      const timescale = init && timescaleOf(init);
      if (timescale && !this.initPTS[frag.cc]) {
        const begin = { timescale, trackId: 1 };
        this.initPTS[frag.cc] = { ...begin, baseTime: 0 };
        const timestampOffsets = this.initPTS.slice();
        this.hls.trigger(Events.INIT_PTS_FOUND, {
          ...begin,
          initPTS: 0,
          timestampOffsets,
          frag,
          id: frag.type,
        });
      }
      super._handleFragmentLoadProgress(data);
    }
  };
}

/** Reads the units per second from the `mdhd` box of an init segment (ISO/IEC 14496-12, 8.4.2). */
function timescaleOf(init: Uint8Array): number | null {
  const at = new TextDecoder("latin1").decode(init).indexOf("mdhd");
  if (at < 0) return null;
  const view = new DataView(init.buffer, init.byteOffset, init.byteLength);
  const isLong = view.getUint8(at + 4) === 1;
  return view.getUint32(at + (isLong ? 24 : 16));
}
