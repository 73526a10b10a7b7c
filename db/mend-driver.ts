import type { Plugin } from "vite";

/**
 * postgres.js 3.4.9 writes to a socket that may be gone by then, in a callback that nobody can catch: a database
 * that goes away in the middle of a transaction would end the process. Until that is mended upstream, the
 * bundled copy fails the query instead. See docs/decisions/postgres-driver.md.
 */
export const mendDriver: Plugin = {
  name: "engawa:mend-driver",
  transform: {
    filter: { id: /node_modules\/postgres\/(src|cjs\/src|cf\/src)\/connection\.js/ },
    handler(code) {
      const unguarded = "const x = socket.write(chunk, fn)";
      if (!code.includes(unguarded)) this.error("postgres.js has changed: is mend-driver.ts still needed?");
      return {
        code: code.replace(
          unguarded,
          `if (!socket) {
            chunk = nextWriteTimer = null
            error(Errors.connection('CONNECTION_CLOSED', options, socket))
            return false
          }
          ${unguarded}`,
        ),
        map: null,
      };
    },
  },
};

/** The driver must pass through the bundler for that. */
export const mended = ["postgres"];
