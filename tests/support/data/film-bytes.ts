/** Generated video files and a playlist. */

export const packetBytes = 188;

/** A transport stream. Each packet begins with the sync byte and holds its number, so that a test sees which packets arrived. */
export function transportStream(packets: number): Buffer {
  const film = Buffer.alloc(packets * packetBytes, 0xff);
  for (let packet = 0; packet < packets; packet++) {
    film[packet * packetBytes] = 0x47;
    film.writeUInt32BE(packet, packet * packetBytes + 4);
  }
  return film;
}

export const fragment = Buffer.concat([
  Buffer.from("\0\0\0\x18stypmsdh\0\0\0\0msdhmsix", "latin1"),
  Buffer.alloc(4000, 7),
]);

export const vodPlaylist = [
  "#EXTM3U",
  "#EXT-X-TARGETDURATION:4",
  "#EXT-X-PLAYLIST-TYPE:VOD",
  ...Array.from({ length: 40 }, (_, i) => `#EXTINF:4,\n${i}.ts`),
  "#EXT-X-ENDLIST",
  "",
].join("\n");
