/** A picture given as text: base64, a data: URL of base64, or the address of a picture elsewhere. */
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
  let mode: "head" | "base64" | "address" = "head";
  let carry = "";
  let isPadded = false;
  const decoded: Buffer[] = [];
  let length = 0;

  function push(piece: string): boolean {
    if (mode === "base64") return decode(piece);
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
    mode = "base64";
    const prefix = /^data:[^,]*,/i.exec(head)?.[0] ?? "";
    if (/^data:/i.test(head) && !/;base64,$/i.test(prefix))
      throw new BadPictureText("Only data: URLs in base64 are read");
    return decode(head.slice(prefix.length));
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
    if (!add(Buffer.from(carry, "base64"))) return null;
    return { bytes: Buffer.concat(decoded, length) };
  }

  return { push, finish };
}
