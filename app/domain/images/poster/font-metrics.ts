/** Text is measured before it is drawn, so that a title can be broken into lines. Widths are in ems. */
export type Measure = (text: string) => number;

export type FontMetrics = {
  measure: Measure;
  /** False for a character that the font would draw as a box. */
  hasGlyph(character: string): boolean;
};

/** Reads the tables head, hhea, hmtx and cmap of a TrueType font (OpenType 1.9, formats 4 and 12). */
export function readFontMetrics(file: Buffer): FontMetrics {
  const tables = new Map<string, number>();
  for (let at = 12; at < 12 + file.readUInt16BE(4) * 16; at += 16)
    tables.set(file.toString("latin1", at, at + 4), file.readUInt32BE(at + 8));
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`the font has no ${name} table`);
    return at;
  };
  const unitsPerEm = file.readUInt16BE(table("head") + 18);
  const metrics = file.readUInt16BE(table("hhea") + 34);
  const glyphOf = characterMap(file, table("cmap"));
  const hmtx = table("hmtx");
  const advance = (glyph: number) => file.readUInt16BE(hmtx + Math.min(glyph, metrics - 1) * 4) / unitsPerEm;
  const glyphAt = (character: string) => glyphOf(character.codePointAt(0) ?? 0);
  return {
    measure: (text) => [...text].reduce((sum, character) => sum + advance(glyphAt(character)), 0),
    hasGlyph: (character) => glyphAt(character) !== 0,
  };
}

function characterMap(file: Buffer, cmap: number): (codePoint: number) => number {
  const glyphs = new Map<number, number>();
  for (let at = cmap + 4; at < cmap + 4 + file.readUInt16BE(cmap + 2) * 8; at += 8) {
    const subtable = cmap + file.readUInt32BE(at + 4);
    const format = file.readUInt16BE(subtable);
    if (format === 4) readSegments(file, subtable, glyphs);
    if (format === 12) readGroups(file, subtable, glyphs);
  }
  return (codePoint) => glyphs.get(codePoint) ?? 0;
}

function readSegments(file: Buffer, table: number, glyphs: Map<number, number>) {
  const segmentBytes = file.readUInt16BE(table + 6);
  const ends = table + 14;
  const starts = ends + segmentBytes + 2;
  for (let at = 0; at < segmentBytes; at += 2) {
    const end = file.readUInt16BE(ends + at);
    const delta = file.readUInt16BE(starts + segmentBytes + at);
    const offsetAt = starts + 2 * segmentBytes + at;
    const offset = file.readUInt16BE(offsetAt);
    for (let code = file.readUInt16BE(starts + at); code <= end && code < 0xffff; code++) {
      const first = file.readUInt16BE(starts + at);
      const glyph = offset === 0 ? code : file.readUInt16BE(offsetAt + offset + (code - first) * 2);
      if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff);
    }
  }
}

function readGroups(file: Buffer, table: number, glyphs: Map<number, number>) {
  for (let at = table + 16; at < table + 16 + file.readUInt32BE(table + 12) * 12; at += 12) {
    const first = file.readUInt32BE(at);
    for (let code = first; code <= file.readUInt32BE(at + 4); code++)
      glyphs.set(code, file.readUInt32BE(at + 8) + code - first);
  }
}
