/**
 * Mends the PostgreSQL driver after its installation. As published (3.4.9) it mishandles a connection that ends while something is
 * about to be written to it (https://github.com/porsager/postgres/issues/1154 and 1208, open):
 *
 *  1. a timer writes to the socket that is gone: the TypeError ends the whole process, and the query never settles;
 *  2. the unsent bytes stay, are sent ahead of the next greeting on that place in the pool, and no write is scheduled there any more:
 *     the place is lost, query after query fails with CONNECT_TIMEOUT;
 *  3. the server's last word on the old connection is told to the first query of the new one, and a query that came between error and
 *     close of the socket never settles;
 *  4. a transaction whose connection is gone goes on writing to its place in the pool, which another query may have by then;
 *  5. a new connection first asks for the server's types: when it ends meanwhile, nobody can handle that query's rejection, and the
 *     process ends. The query that wanted the connection is told of the same trouble.
 *  6. anyone who wants a connection for himself (`reserve`) and is refused one stays in the queue, and is given the next one, which nobody ever
 *     has back; one who is taken out of the queue to open a connection is never given it;
 *  7. what such a one has asked, and what was not sent yet when the connection ended, never settles.
 *
 * `db/client.test.ts` fails without this. It depends on nothing, and does nothing where it has been done.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MENDS = [
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
    to: `        return fetchArrayTypes().catch(() => { /* told to the query that connects */ })`,
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
export function mendPostgres(root) {
  for (const build of ["src", join("cjs", "src")]) {
    for (const { file, from, to } of MENDS) {
      const path = join(root, "node_modules", "postgres", build, file);
      const text = readFileSync(path, "utf8");
      if (text.includes(to)) continue;
      if (text.split(from).length !== 2) throw new Error(`${path} is not the file that is known: see scripts/mend-postgres.mjs.`);
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
    }
  }
}
