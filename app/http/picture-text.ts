/** A picture given as text: base64, a data: URL, or the address of a picture elsewhere. */
export type PictureText = { bytes: Buffer } | { address: string };

export class BadPictureText extends Error {
  override name = "BadPictureText";
}

const longestHead = 256;
const longestAddress = 8192;
/** Either alphabet of RFC 4648; padding is looked at where the text ends. */
const alphabet = /^[\w+/-]*$/;

/** Takes the text in pieces and keeps bytes only: `admit` is asked for room for them. */
export function pictureTextReader(admit: (bytes: number) => boolean) {
  let head = "";
  let mode: "head" | "base64" | "percent" | "address" = "head";
  let carry = "";
  let isPadded = false;
  const decoded: Buffer[] = [];
  let length = 0;

  function push(piece: string): boolean {
    if (mode === "base64") return decode(piece);
    if (mode === "percent") return unescaped(piece);
    head += piece;
    if (mode === "address") {
      if (head.length > longestAddress) throw new BadPictureText("The address is too long");
      return true;
    }
    return head.length < longestHead || settle();
  }

  /** Decides by the first characters what this is. */
  function settle(): boolean {
    head = head.trimStart();
    if (/^https?:\/\//i.test(head)) {
      mode = "address";
      return push("");
    }
    const prefix = /^data:[^,]*,/i.exec(head)?.[0] ?? "";
    mode = prefix === "" || /;base64,$/i.test(prefix) ? "base64" : "percent";
    return push(head.slice(prefix.length));
  }

  function unescaped(piece: string): boolean {
    const text = carry + piece;
    carry = /(?:%[\dA-F]?|[\uD800-\uDBFF])$/i.exec(text)?.[0] ?? "";
    return add(percentDecoded(text.slice(0, text.length - carry.length)));
  }

  function decode(piece: string): boolean {
    const text = carry + piece.replace(/\s+/g, "");
    const digits = text.replace(/=+$/, "");
    if (!alphabet.test(digits) || (isPadded && digits !== "")) throw new BadPictureText("This is not base64");
    isPadded ||= digits.length < text.length;
    const whole = isPadded ? digits.length : digits.length - (digits.length % 4);
    carry = digits.slice(whole);
    return add(Buffer.from(digits.slice(0, whole), "base64"));
  }

  function add(bytes: Buffer): boolean {
    decoded.push(bytes);
    length += bytes.length;
    return admit(bytes.length);
  }

  /** False from `push` and null from here: there is no room for so many bytes now. */
  function finish(): PictureText | null {
    if (mode === "head" && !settle()) return null;
    if (mode === "address") return { address: head.trim() };
    if (!add(Buffer.from(carry, mode === "base64" ? "base64" : "utf8"))) return null;
    return { bytes: Buffer.concat(decoded, length) };
  }

  return { push, finish };
}

/** Byte by byte: what is escaped need not be text. */
const percentDecoded = (text: string) =>
  Buffer.from(
    Buffer.from(text)
      .toString("latin1")
      .replace(/%([\dA-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    "latin1",
  );
