/** A picture sent as text: base64, a data: URL, or the URL of a picture on another server. */
export type PictureText = { bytes: Buffer } | { url: string };

export class BadPictureText extends Error {
  override name = "BadPictureText";
}

const maxHeadLength = 256;
const maxUrlLength = 8192;
/** The alphabets of RFC 4648, sections 4 and 5, without padding. */
const base64Digits = /^[\w+/-]*$/;

/**
 * Decodes the text piece by piece and keeps only the bytes. `admit` reserves memory for them. If there is none left,
 * `push` returns false and `finish` returns null.
 */
export class PictureTextReader {
  readonly #admit: (bytes: number) => boolean;
  readonly #decoded: Buffer[] = [];
  #length = 0;
  #head = "";
  #mode: "head" | "base64" | "percent" | "url" = "head";
  #carry = "";
  #isPadded = false;

  constructor(admit: (bytes: number) => boolean) {
    this.#admit = admit;
  }

  push(piece: string): boolean {
    if (this.#mode === "base64") return this.#pushBase64(piece);
    if (this.#mode === "percent") return this.#pushPercent(piece);
    this.#head += piece;
    if (this.#mode === "url") {
      if (this.#head.length > maxUrlLength)
        throw new BadPictureText("The address of the picture is too long");
      return true;
    }
    return this.#head.length < maxHeadLength || this.#chooseMode();
  }

  finish(): PictureText | null {
    if (this.#mode === "head" && !this.#chooseMode()) return null;
    if (this.#mode === "url") return { url: this.#head.trim() };
    if (!this.#add(Buffer.from(this.#carry, this.#mode === "base64" ? "base64" : "utf8"))) return null;
    return { bytes: Buffer.concat(this.#decoded, this.#length) };
  }

  /** The first characters show whether the text is an http URL, a data: URL or base64. */
  #chooseMode(): boolean {
    this.#head = this.#head.trimStart();
    if (/^https?:\/\//i.test(this.#head)) {
      this.#mode = "url";
      return this.push("");
    }
    const prefix = /^data:[^,]*,/i.exec(this.#head)?.[0] ?? "";
    this.#mode = prefix === "" || /;base64,$/i.test(prefix) ? "base64" : "percent";
    return this.push(this.#head.slice(prefix.length));
  }

  #pushPercent(piece: string): boolean {
    const text = this.#carry + piece;
    this.#carry = /(?:%[\dA-F]?|[\uD800-\uDBFF])$/i.exec(text)?.[0] ?? "";
    return this.#add(percentDecoded(text.slice(0, text.length - this.#carry.length)));
  }

  #pushBase64(piece: string): boolean {
    const text = this.#carry + piece.replace(/\s+/g, "");
    const digits = withoutPadding(text);
    if (!base64Digits.test(digits) || (this.#isPadded && digits !== ""))
      throw new BadPictureText("This is not base64");
    this.#isPadded ||= digits.length < text.length;
    const whole = this.#isPadded ? digits.length : digits.length - (digits.length % 4);
    this.#carry = digits.slice(whole);
    return this.#add(Buffer.from(digits.slice(0, whole), "base64"));
  }

  #add(bytes: Buffer): boolean {
    if (bytes.length === 0) return true;
    this.#decoded.push(bytes);
    this.#length += bytes.length;
    return this.#admit(bytes.length);
  }
}

/**
 * Not a regular expression: in a text of many `=` it would begin again at each of them, and block all other requests.
 */
function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === "=") end--;
  return text.slice(0, end);
}

/** Decodes byte by byte. `decodeURIComponent` throws on bytes that are not UTF-8. */
const percentDecoded = (text: string) =>
  Buffer.from(
    Buffer.from(text)
      .toString("latin1")
      .replace(/%([\dA-F]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    "latin1",
  );
