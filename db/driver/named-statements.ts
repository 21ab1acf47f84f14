import type postgres from "postgres";

/** Names frequent statements: PostgreSQL then parses each once per connection, and it takes one round trip instead of two. */
const WORTH_A_NAME = 3;
/** So many have names at once. What a program sends is few; a filter in all its combinations must not fill the server's memory. */
const MOST_NAMES = 256;
/** Texts that are counted until they are worth a name, before counting begins again. */
const MOST_COUNTED = 2_000;

/** Which statements of a process have names, by their texts (docs/decisions/database-conversation.md). */
export function createNaming(): (text: string) => boolean {
  const named = new Set<string>();
  const counted = new Map<string, number>();
  return (text) => {
    if (named.has(text)) return true;
    if (named.size >= MOST_NAMES) return false;
    const times = (counted.get(text) ?? 0) + 1;
    if (counted.size >= MOST_COUNTED) counted.clear();
    counted.set(text, times);
    if (times < WORTH_A_NAME) return false;
    counted.delete(text);
    named.add(text);
    return true;
  };
}

/** The driver for drizzle, with names for frequent statements, also in transactions. By default it names none of drizzle's. */
export function namingStatements(sql: postgres.Sql): postgres.Sql {
  const isNamed = createNaming();
  nameWithin(sql, isNamed);
  return sql;
}

/** Without parameters it may also be a command, or several, which have no plan to keep. */
function isQuery(text: string, parameters: number): boolean {
  return parameters > 0 || (/^\s*(?:select|with)\b/i.test(text) && !text.includes(";"));
}

type Inner = { unsafe: postgres.Sql["unsafe"] };

function nameWithin(inner: Inner, isNamed: (text: string) => boolean): void {
  const { unsafe } = inner;
  const naming: Inner["unsafe"] = (text, parameters, options) => {
    const prepare = parameters !== undefined && isQuery(text, parameters.length) && isNamed(text);
    // Without parameters the driver sends a text as it is, which PostgreSQL parses and plans each time.
    return unsafe(text, parameters, { ...options, prepare, ...(prepare && { simple: false }) });
  };
  Object.assign(inner, { unsafe: naming });
  const reserve: unknown = Reflect.get(inner, "reserve");
  if (typeof reserve === "function") {
    const reserved = async () => {
      const own: Inner = await Reflect.apply(reserve, inner, []);
      nameWithin(own, isNamed);
      return own;
    };
    Object.assign(inner, { reserve: reserved });
  }
  for (const opening of ["begin", "savepoint"]) {
    const open: unknown = Reflect.get(inner, opening);
    if (typeof open !== "function") continue;
    const opened = (...args: unknown[]) =>
      Reflect.apply(
        open,
        inner,
        args.map((each) => (isWork(each) ? enter(each, isNamed) : each)),
      );
    Object.assign(inner, { [opening]: opened });
  }
}

function isWork(value: unknown): value is (tx: Inner) => unknown {
  return typeof value === "function";
}

/** The work of a transaction, handed a driver that names as well. */
function enter(work: (tx: Inner) => unknown, isNamed: (text: string) => boolean) {
  return (tx: Inner) => {
    nameWithin(tx, isNamed);
    return work(tx);
  };
}
