import type postgres from "postgres";

/**
 * Lets a connection wait for each answer before it asks for more. The driver sends queries ahead where no connection is free: one request's
 * would stand behind another's that waits for a lock, though other connections get free; and PgBouncer takes the session away with the
 * answer to the one before, so that a query that was on its way by then is never answered. Within a transaction they are still sent ahead.
 */
export function oneByOne(sql: postgres.Sql): postgres.Sql {
  const asked = <Query>(query: Query): Query => {
    // The driver asks this of each query it has sent: whether others may follow at once. `begin` brings an answer of its own.
    const options: unknown = query !== null && typeof query === "object" && "options" in query ? query.options : null;
    if (options !== null && typeof options === "object" && !("onexecute" in options)) Object.assign(options, { onexecute: () => false });
    return query;
  };
  const { unsafe } = sql;
  Object.assign(sql, { unsafe: (...told: Parameters<typeof unsafe>) => asked(unsafe(...told)) });
  return new Proxy(sql, { apply: (target, self, told) => asked(Reflect.apply(target, self, told)) });
}
