/** An MP4 with its index first, as download sites write it. Its sample positions move behind the index. */
export function indexFirst(film: Buffer): Buffer {
  const at = film.indexOf("moov") - 4;
  const index = Buffer.from(film.subarray(at));
  for (let table = index.indexOf("stco"); table > 0; table = index.indexOf("stco", table + 4))
    for (let entry = 0; entry < index.readUInt32BE(table + 8); entry++) {
      const place = table + 12 + 4 * entry;
      index.writeUInt32BE(index.readUInt32BE(place) + index.length, place);
    }
  const typeEnd = film.readUInt32BE(0);
  return Buffer.concat([film.subarray(0, typeEnd), index, film.subarray(typeEnd, at)]);
}
