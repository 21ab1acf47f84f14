import type postgres from "postgres";

/**
 * Makes a connection wait for each answer before it sends the next query. Without a free connection, the driver pipelines queries: one
 * could then wait behind another's lock although other connections become free. PgBouncer also takes the session away with the previous
 * answer, so that a pipelined query is never answered. Within a transaction, queries are still pipelined.
 */
export function oneByOne(sql: postgres.Sql): postgres.Sql {
  const asked = <Query>(query: Query): Query => {
    // The driver asks this about each sent query: whether others may follow at once. `begin` brings its own answer.
    const options: unknown = query !== null && typeof query === "object" && "options" in query ? query.options : null;
    if (options !== null && typeof options === "object" && !("onexecute" in options)) Object.assign(options, { onexecute: () => false });
    return query;
  };
  const { unsafe } = sql;
  Object.assign(sql, { unsafe: (...args: Parameters<typeof unsafe>) => asked(unsafe(...args)) });
  return new Proxy(sql, { apply: (target, self, args) => asked(Reflect.apply(target, self, args)) });
}
