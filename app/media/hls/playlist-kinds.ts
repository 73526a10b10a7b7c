/** Tells the kind of a playlist by its tags. */

const multivariantTags = ["#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:", "#EXT-X-I-FRAME-STREAM-INF:"];

/** A playlist is either a media playlist or a multivariant playlist (RFC 8216bis, 4.1). */
export const isMultivariantPlaylist = (text: string) =>
  !text.includes("#EXTINF:") && multivariantTags.some((tag) => text.includes(tag));

const vodTags = ["\n#EXT-X-ENDLIST", "\n#EXT-X-PLAYLIST-TYPE:VOD"];
const indentedVodTags = /^[ \t\uFEFF]+#EXT-X-(?:ENDLIST|PLAYLIST-TYPE:VOD)/m;
const liveTags =
  /^[ \t\uFEFF]*#EXT-X-(?:PLAYLIST-TYPE:EVENT|MEDIA-SEQUENCE:0*[1-9]|PROGRAM-DATE-TIME:|PART:|PART-INF:|PRELOAD-HINT:|SERVER-CONTROL:)/m;

/** Whether this playlist will change. A cached copy of a live playlist would stop the playback. */
export function isLivePlaylist(text: string): boolean {
  const isComplete = vodTags.some((sign) => text.includes(sign)) || isMultivariantPlaylist(text);
  return !isComplete && liveTags.test(text) && !indentedVodTags.test(text);
}
