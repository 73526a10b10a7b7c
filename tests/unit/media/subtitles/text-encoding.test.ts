import { expect, test } from "vitest";
import { decodeText } from "#app/media/subtitles/text-encoding.ts";

const utf16 = (text: string) => Buffer.from(text, "utf16le");
const script = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,";
const letters = Buffer.from("これは日本語です");
/** これは日本語 */
const shiftJis = Buffer.from("82b182ea82cd93fa967b8cea", "hex");
/** そのはなしはなかなかおもしろい。私は学生です。 Bytes of its kana form valid letters of UTF-8. */
const manyKana = Buffer.from(
  "82bb82cc82cd82c882b582cd82c882a982c882a982a882e082b582eb82a281428e8482cd8a7790b682c582b78142",
  "hex",
);

test.each<[string, Buffer, string]>([
  ["UTF-8", Buffer.from("雨が降る"), "雨が降る"],
  ["UTF-8 with a byte order mark", Buffer.from("\uFEFFcafé"), "café"],
  ["UTF-8 with a mark, cut off", Buffer.from("\uFEFFcafé").subarray(0, -1), "caf\uFFFD"],
  [
    "UTF-8 with an invalid byte",
    Buffer.concat([letters, Buffer.of(0xe9), letters]),
    `${letters}\uFFFD${letters}`,
  ],
  ["UTF-16, little end first", utf16("\uFEFF雨 café"), "雨 café"],
  ["UTF-16, big end first", utf16("\uFEFF雨 café").swap16(), "雨 café"],
  ["UTF-16 without a mark", utf16(`${script}雨が降る`), `${script}雨が降る`],
  ["UTF-16, big end first, without a mark", utf16(`${script}雨`).swap16(), `${script}雨`],
  ["Shift-JIS", Buffer.concat([Buffer.from(script), shiftJis]), `${script}これは日本語`],
  [
    "Windows-1252",
    Buffer.from(`${script}caf\u00e9 \u0093\u00bfQu\u00e9?\u0094`, "latin1"),
    `${script}café “¿Qué?”`,
  ],
  ["Shift-JIS that is partly valid UTF-8", manyKana, "そのはなしはなかなかおもしろい。私は学生です。"],
  ["an empty file", Buffer.from(""), ""],
])("%s is read", (_, bytes, text) => expect(decodeText(bytes)).toBe(text));

test.each<[string, string, string | null, string]>([
  [
    "Windows-1251",
    "cff0e8e2e5f22120cae0ea20e4e5ebe03f20df20f1e5e3eee4edff20eff0e8e4f320efeee7e4edee2e",
    null,
    "Привет! Как дела? Я сегодня приду поздно.",
  ],
  [
    "GBK",
    "c4e3bac3a3acced2c3c7c3f7ccecd4d9bcfbb0c9a1a3bdf1cceccfc2d3eac1cba1a3",
    "zh-CN",
    "你好，我们明天再见吧。今天下雨了。",
  ],
  [
    "Big5",
    "a741a66ea141a7daadcca9faa4d1a641a8a3a761a143a4b5a4d1a455ab42a446a143",
    "zh-TW",
    "你好，我們明天再見吧。今天下雨了。",
  ],
  [
    "EUC-KR",
    "bec8b3e7c7cfbcbcbfe42e20bfc0b4c3c0ba20baf1b0a120bfc9b4cfb4d92e",
    "ko",
    "안녕하세요. 오늘은 비가 옵니다.",
  ],
  [
    "EUC-JP",
    "a4b3a4eca4cfc6fccbdcb8eca4c7a4b9a1a3b1aba4acb9dfa4eba1a3",
    "ja",
    "これは日本語です。雨が降る。",
  ],
  [
    "Serbian in Latin letters",
    "8a746120e6659a3f20d0616b207665e620e8656b612e",
    "sr",
    "Šta ćeš? Đak već čeka.",
  ],
  [
    "Serbian in Cyrillic letters",
    "d8f2e0209ee5f83f2080e0ea20e2e59e20f7e5eae02e",
    "sr",
    "Шта ћеш? Ђак већ чека.",
  ],
  ["Windows-1250", "437a659ce62c206964ea206a75bf20737061e62e", "pl", "Cześć, idę już spać."],
  ["Windows-1253", "cae1ebe7ecddf1e12c20f0fef220e5dff3e1e93b", "el", "Καλημέρα, πώς είσαι;"],
  ["Windows-1256", "e3d1cdc8c7a120dfeddd20cdc7e1dfbf", "ar", "مرحبا، كيف حالك؟"],
  ["Windows-874", "cac7d1cab4d5a4c3d1ba", "th", "สวัสดีครับ"],
])("%s is recognized by its bytes or its language", (_, hex, language, text) => {
  const lines = [`${script}${text}`, `${script}OK.`];
  const bytes = Buffer.concat([Buffer.from(script), Buffer.from(hex, "hex"), Buffer.from(`\n${lines[1]}`)]);
  expect(decodeText(bytes, language)).toBe(lines.join("\n"));
});

test("a text of a Western language with its punctuation stays one", () => {
  const text = "¿Qué? ¡Sí! – L'été, où l'œuf… «Änderungsvorschläge für Übergrößen», ÁÉÍ";
  const bytes = Buffer.from([...text].map((letter) => western.get(letter) ?? letter.charCodeAt(0)));
  for (const language of [null, "es", "fr-CA"]) expect(decodeText(bytes, language)).toBe(text);
});

test.each(["ÄLÄ PELKÄÄ", "AÇÃO! NAÇÕES!", "«Étonnant»", "¡¡No!!", "CRÉÉ", "là è già", "Šta je to?"])(
  "%s stays Western, although it is short",
  (text) => {
    const bytes = Buffer.from([...text].map((letter) => western.get(letter) ?? letter.charCodeAt(0)));
    expect(decodeText(bytes)).toBe(text);
  },
);
const western = new Map([
  ["–", 0x96],
  ["œ", 0x9c],
  ["…", 0x85],
  ["Š", 0x8a],
]);
