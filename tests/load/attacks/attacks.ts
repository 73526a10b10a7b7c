import type { Attacker } from "#tests/load/attacks/attacker.ts";
import { slowDrawing } from "#tests/support/data/slow-drawing.ts";

/** Attacks by one client. Each of them harmed all clients before the site divided its resources among clients. */

export type Target = {
  /** The upstream of the proxies: `/hang`, `/drawing/N.svg`, `/playlist/N.m3u8`. */
  upstream: string;
  /** The attacker's own account. */
  cookie: string;
  email: string;
};

type Attack = (attacker: Attacker, target: Target) => void;

export const attacks: Record<string, Attack> = {
  "1,000 slow bodies": (attacker) => {
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 99\r\n\r\n`;
    attacker.hold(500, `${head("/api/auth/signin", "application/json")}{`, { more: " " });
    attacker.hold(500, `${head("/api/proxy?w=160", "image/svg+xml")}<`, { more: " " });
  },
  "1,000 idle connections": (attacker) => attacker.hold(1000, ""),
  "300 half headers": (attacker) =>
    attacker.hold(300, "GET / HTTP/1.1\r\nHost: a\r\nX-Half: ", { more: "a" }),
  "200 slow readers": (attacker) =>
    attacker.hold(200, "GET /film/2/film.webm HTTP/1.1\r\nHost: a\r\n\r\n", { reads: false }),
  "1,050 requests to a hanging upstream": (attacker, { upstream }) =>
    attacker.flood(
      1050,
      (at) => `/api/${at % 2 ? "proxy" : "videoProxy"}?url=${url(upstream, `/hang/${at}`)}`,
    ),
  "one dead name a second": (attacker) => {
    const ask = (at: number) => {
      if (attacker.isOver) return;
      void attacker.ask(`/api/proxy?url=${encodeURIComponent(`http://dead-${at}.example/a.png`)}`);
      setTimeout(() => ask(at + 1), 1000);
    };
    ask(0);
  },
  "220 heavy drawings": (attacker, { upstream }) =>
    attacker.flood(220, (at) => `/api/proxy?url=${url(upstream, `/drawing/${at}.svg`)}`),
  "10,000 pipelined requests": (attacker) =>
    attacker.hold(50, "GET /browse HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200)),
  "60 imports": (attacker, { cookie }) =>
    attacker.flood(60, () => "/api/user/watchList/import", {
      method: "POST",
      headers: { Cookie: cookie },
      body: list,
    }),
  "150 sign-ins": (attacker, { email }) =>
    attacker.flood(150, () => "/api/auth/signin", {
      method: "POST",
      body: JSON.stringify({ email, password: "Wrong1!x" }),
    }),
  "the sitemap in a loop": (attacker) => attacker.flood(8, () => "/sitemap.xml"),
  "100 hostile playlists of 5 MB": (attacker, { upstream }) =>
    attacker.flood(100, (at) => `/api/videoProxy?url=${url(upstream, `/playlist/${at}.m3u8`)}`),
};

const url = (origin: string, path: string) => encodeURIComponent(origin + path);

const list = JSON.stringify({
  format: "engawa-list",
  entries: Array.from({ length: 5000 }, (_, at) => ({
    mal_id: at + 1,
    type: "Watching",
    notes: `note ${at}`,
  })),
});

const attribute = '#EXT-X-MEDIA:A=11,B=22,C=33,D=44,URI=""\n';
const hostilePlaylist = `#EXTM3U\n${attribute.repeat(Math.floor((5 * 1024 * 1024 - 100) / attribute.length))}`;

/** The upstream's answer for the path. Undefined means that the upstream never answers. */
export function upstreamAnswer(path: string): string | undefined {
  if (path.startsWith("/drawing/")) return slowDrawing(path);
  if (path.startsWith("/playlist/")) return hostilePlaylist;
}
