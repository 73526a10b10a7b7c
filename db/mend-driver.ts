import type { Plugin } from "vite";

/**
 * postgres.js 3.4.9 loses questions when the database goes away under them. Until that is mended upstream, the
 * bundled copy does what each repair here says. See docs/decisions/postgres-driver.md.
 */
const repairs: { why: string; found: string; better: string; file?: string }[] = [
  {
    why: "a write to a socket that is gone fails the question, where it would end the process",
    found: "const x = socket.write(chunk, fn)",
    better: `if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)`,
  },
  {
    why: "a connection that is closed before it was opened fails its question, where it would try again without end or pause",
    found: "if (initial)\n      return reconnect()",
    better: `if (initial && options.host.length > 1)
      return reconnect()
    initial && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
  },
  {
    why: "what was never sent is forgotten with its socket, where it would keep the next one from ever writing",
    found: "clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)",
    better: `clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  },
  {
    why: "a question asked between a socket's error and its end fails too, and nothing of it is left to wait for",
    found:
      "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))",
    better: `;(query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
    rows = 0`,
  },
  {
    why: "a connection that breaks while it learns the types fails its question alone, where it would end the process",
    found: "return fetchArrayTypes()",
    better: "return fetchArrayTypes().catch(() => {})",
  },
  {
    why: "a connection reads on after a copy that came faster than it was taken, where its next question would wait for ever",
    found: "stream && stream.push(null)\n    stream = null",
    better: `stream && stream.push(null)
    stream = null
    socket.resume()`,
  },
  {
    why: "a transaction that waits behind a question has its connection to itself, where it would be refused as unsafe",
    found:
      "&& sent.length < max_pipeline\n        && (!q.options.onexecute || q.options.onexecute(connection))",
    better: "&& sent.length < max_pipeline\n        && !q.options.onexecute",
  },
  {
    why: "the same, at the only place that sees every one of them",
    found: "build(q)\n      return write(toBuffer(q))",
    better: `build(q)
      q.options.onexecute && q.options.onexecute(connection)
      return write(toBuffer(q))`,
  },
  {
    why: "a pool that was ended closes what it connected anew for the questions that still waited, where it would stay open for ever",
    file: "index",
    found: "if (queries.length === 0)\n      return move(c, open)",
    better: "if (queries.length === 0)\n      return ending ? c.terminate() : move(c, open)",
  },
];

export const mendDriver: Plugin = {
  name: "engawa:mend-driver",
  transform: {
    filter: { id: /node_modules\/postgres\/(src|cjs\/src|cf\/src)\/(connection|index)\.js/ },
    handler(source, id) {
      let code = source;
      for (const { found, better, why, file = "connection" } of repairs) {
        if (!id.split("?")[0]?.endsWith(`/${file}.js`)) continue;
        if (code.split(found).length !== 2)
          this.error(`postgres.js has changed; is this still needed: ${why}?`);
        code = code.replace(found, better);
      }
      return { code, map: null };
    },
  },
};

/** The driver must pass through the bundler for that. */
export const mended = ["postgres"];
