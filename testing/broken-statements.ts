import type postgres from "postgres";

/** Faults of a statement, by what is sent in its place (`fails`) or before it. */
export const FAULTS = {
  fails: "select 1 / 0",
  stalls: "select pg_sleep(1.7)",
  "loses its connection": "select pg_terminate_backend(pg_backend_pid())",
} as const;
export type Fault = keyof typeof FAULTS;

type Inner = Pick<postgres.TransactionSql, "unsafe" | "savepoint">;
type Work = (tx: postgres.TransactionSql) => unknown;

/** Lets one statement of a pool's transactions go wrong. */
export function breakable(sql: postgres.Sql) {
  let seen = 0;
  let armed: { fault: Fault; at: number } | null = null;
  const { begin } = sql;
  const spoiled = (tx: postgres.TransactionSql): postgres.TransactionSql => {
    const { unsafe, savepoint }: Inner = tx;
    const sending = (...query: Parameters<typeof unsafe>) => {
      seen += 1;
      if (armed === null || armed.at !== seen) return unsafe(...query);
      if (armed.fault === "fails") return unsafe(FAULTS.fails);
      unsafe(FAULTS[armed.fault]).catch(() => {});
      return unsafe(...query);
    };
    const inner = (work: Work) => savepoint((point) => work(spoiled(point)));
    return Object.assign(tx, { unsafe: sending, savepoint: inner });
  };
  Object.assign(sql, { begin: (work: Work) => begin((tx) => work(spoiled(tx))) });
  return {
    /** The `at`-th statement that is sent in a transaction from now on, 1 the first. */
    arm(fault: Fault, at: number): void {
      seen = 0;
      armed = { fault, at };
    },
    /** How many were sent in transactions since it was armed or disarmed last. */
    disarm(): number {
      const count = seen;
      seen = 0;
      armed = null;
      return count;
    },
  };
}
