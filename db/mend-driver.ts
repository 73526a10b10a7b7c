import type { Plugin } from "vite";

/**
 * Two faults of postgres.js 3.4.9, mended in the bundled copy until they are upstream. It writes to a socket that may
 * be gone by then, in a callback that nobody can catch: a database that goes away in the middle of a transaction
 * would end the process. And it leaves the socket paused when a copy ends faster than it is read: the next query of
 * that connection would wait for ever, as a backup of a large table did. See docs/decisions/postgres-driver.md.
 */
export const mendDriver: Plugin = {
  name: "engawa:mend-driver",
  transform: {
    filter: { id: /node_modules\/postgres\/(src|cjs\/src|cf\/src)\/connection\.js/ },
    handler(code) {
      const unguarded = "const x = socket.write(chunk, fn)";
      const leftPaused = "stream && stream.push(null)\n    stream = null";
      if (!code.includes(unguarded) || !code.includes(leftPaused))
        this.error("postgres.js has changed: is mend-driver.ts still needed?");
      return {
        code: code
          .replace(
            unguarded,
            `if (!socket) {
            chunk = nextWriteTimer = null
            error(Errors.connection('CONNECTION_CLOSED', options, socket))
            return false
          }
          ${unguarded}`,
          )
          .replace(leftPaused, `${leftPaused}\n    socket.resume()`),
        map: null,
      };
    },
  },
};

/** The driver must pass through the bundler for that. */
export const mended = ["postgres"];
