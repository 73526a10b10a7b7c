import { connect } from "node:net";
import { mebibytes } from "#app/platform/units.ts";

/** Sends uploads of hundreds of megabytes to a running site, until it cuts them off. */

const whole = mebibytes(300);
const piece = Buffer.alloc(mebibytes(1), "A");

export type Upload = { type: string; begin: string; isChunked?: boolean; stopAfter?: number };
type Uploader = { origin: string; cookie: string; onPiece?: () => void };

export const jsonUpload: Upload = { type: "application/json", begin: '{"filename":"x.png","image":"' };
export const formUpload: Upload = {
  type: "multipart/form-data; boundary=part",
  begin: '--part\r\nContent-Disposition: form-data; name="image"; filename="x.png"\r\n\r\n',
};

/** Sends until everything is sent, the server closes the connection, or `stopAfter` bytes are sent. */
export function upload(
  { origin, cookie, onPiece = () => {} }: Uploader,
  { type, begin, isChunked = false, stopAfter = whole }: Upload,
): Promise<{ answer: string; sentBytes: number }> {
  const { host, port } = new URL(origin);
  const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${begin.length + whole}`;
  const framed = (bytes: Buffer) =>
    isChunked
      ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])
      : bytes;
  const result = { answer: "", sentBytes: 0 };
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    const pump = () => {
      while (!socket.destroyed && socket.writable) {
        if (result.sentBytes >= stopAfter) return void socket.destroy();
        result.sentBytes += piece.length;
        onPiece();
        if (!socket.write(framed(piece))) return void socket.once("drain", pump);
      }
    };
    socket.setEncoding("latin1").on("data", (text) => {
      result.answer += text;
    });
    // A client that is cut off while it sends sees a reset after the answer.
    socket.on("error", () => {}).on("close", () => resolve(result));
    socket.write(
      `POST /api/uploadImage HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`,
    );
    socket.write(framed(Buffer.from(begin)));
    pump();
  });
}
