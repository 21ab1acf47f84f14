/**
 * Patches the PostgreSQL driver after its installation. The published version (3.4.9) mishandles a connection that ends while something is
 * about to be written to it (https://github.com/porsager/postgres/issues/1154 and 1208, open):
 *
 * 1. a timer writes to the socket that is gone: the TypeError ends the whole process, and the query never settles;
 * 2. the unsent bytes stay, are sent before the next greeting on that connection slot, and no write is scheduled there any more: the slot
 * is lost, and query after query fails with CONNECT_TIMEOUT;
 * 3. the server's last error on the old connection goes to the first query of the new one, and a query that came between error and close of
 * the socket never settles;
 * 4. a transaction whose connection is gone keeps writing to its connection slot, which another query may use by then;
 * 5. a new connection first reads the server's types: when it ends meanwhile, nobody can handle that query's rejection, and the process
 * ends. The query that needed the connection gets the same error.
 * 6. a refused request for a reserved connection (`reserve`) stays in the queue, and gets the next one, which nobody ever returns; one that
 * is taken out of the queue to open a connection never gets it;
 * 7. queries of such a request, and those not yet sent when the connection ended, never settle.
 *
 * `db/client.test.ts` fails without this. It has no dependencies, and does nothing if it has been done.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PATCHES = [
  {
    file: "connection.js",
    from: `  function nextWrite(fn) {
    const x = socket.write(chunk, fn)
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    return x
  }`,
    to: `  function nextWrite(fn) {
    const x = chunk
    nextWriteTimer !== null && clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    if (socket === null)
      return (error(Errors.connection('CONNECTION_CLOSED', options, socket)), false)
    return socket.write(x, fn)
  }`,
  },
  {
    file: "connection.js",
    from: `    incomings = null
    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    to: `    incomings = null
    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = errorResponse = null
    socket.removeListener('data', data)`,
  },
  {
    file: "connection.js",
    from: `    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    closedTime`,
    to: `    if (query || sent.length)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = null
    result = new Result()
    closedTime`,
  },
  {
    file: "connection.js",
    from: `        return fetchArrayTypes()`,
    to: `        return fetchArrayTypes().catch(() => { /* the query that connects gets it */ })`,
  },
  {
    file: "index.js",
    from: `        new Promise((_, reject) => connection.onclose = reject)`,
    to: `        new Promise((_, reject) => connection.onclose = e => (gone = e, reject(e)))`,
  },
  {
    file: "index.js",
    from: `      , connection
      , prepare = null

    try {
      await sql.unsafe('begin '`,
    to: `      , connection
      , prepare = null
      , gone = null

    try {
      await sql.unsafe('begin '`,
  },
  {
    file: "index.js",
    from: `        q.catch(e => uncaughtError || (uncaughtError = e))
`,
    to: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (gone)
          return q.reject(gone)
`,
  },
  {
    file: "index.js",
    from: `        const query = { reserve: resolve, reject }
`,
    to: `        const query = { reserve: resolve, reject: e => (queries.remove(query), reject(e)) }
`,
  },
  {
    file: "index.js",
    from: `    queries.length && connect(c, queries.shift())
`,
    to: `    if (!queries.length)
      return

    const query = queries.shift()
    query.reserve && queries.push(query)
    connect(c, query)
`,
  },
  {
    file: "index.js",
    from: `    c.reserved.release = true

    const sql = Sql(handler)
    sql.release = () => {
      c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
      c.queue === full`,
    to: `    c.reserved.release = true

    let gone = null
    c.onclose = e => {
      gone = e
      while (queue.length)
        queue.shift().reject(e)
    }

    const sql = Sql(handler)
    sql.release = () => {
      if (gone)
        return

      c.onclose = c.reserved = null
      onopen(c)
    }

    return sql

    function handler(q) {
      if (gone)
        return q.reject(gone)

      c.queue === full`,
  },
];

/** @param {string} root the project's directory */
export function patchPostgres(root) {
  for (const build of ["src", join("cjs", "src")]) {
    for (const { file, from, to } of PATCHES) {
      const path = join(root, "node_modules", "postgres", build, file);
      const text = readFileSync(path, "utf8");
      if (text.includes(to)) continue;
      if (text.split(from).length !== 2) throw new Error(`${path} is not the file that is known: see scripts/patch-postgres.mjs.`);
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
    }
  }
}
