/** Converts Matroska's older language codes to BCP 47. */

/** The bibliographic codes of ISO 639-2 that differ from the terminological ones, which `Intl` knows. */
const bibliographic: Readonly<Record<string, string>> = {
  alb: "sq",
  arm: "hy",
  baq: "eu",
  bur: "my",
  chi: "zh",
  cze: "cs",
  dut: "nl",
  fre: "fr",
  geo: "ka",
  ger: "de",
  gre: "el",
  ice: "is",
  mac: "mk",
  mao: "mi",
  may: "ms",
  per: "fa",
  rum: "ro",
  slo: "sk",
  tib: "bo",
  wel: "cy",
};
const noLanguage = new Set(["und", "mul", "zxx", "mis"]);

/** Null for an unknown language, and for text that names no language. */
export function languageTag(given: string): string | null {
  const text = bibliographic[given.toLowerCase()] ?? given;
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(text) || noLanguage.has(text.toLowerCase())) return null;
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}
