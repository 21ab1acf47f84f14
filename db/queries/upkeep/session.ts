import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

export type Session = {
  user: string;
  /** Whether it may do what the application must not be able to: rewrite what is only added to, or change the schema. */
  isOwner: boolean;
  mayRead: boolean;
  timeouts: { statement_timeout: string; lock_timeout: string; idle_in_transaction_session_timeout: string };
};

/** As whom we work, and under which limits: said at the start of a connection, or by the log-in role's own settings. */
export async function readSession(db: Database): Promise<Session> {
  const [row] = await db.execute<Omit<Session, "timeouts"> & Session["timeouts"]>(sql`
    select current_user as user,
      pg_has_role(current_user, relowner, 'usage') or has_table_privilege(oid, 'update, delete, truncate') as "isOwner",
      has_table_privilege(oid, 'select') as "mayRead",
      current_setting('statement_timeout') as statement_timeout,
      current_setting('lock_timeout') as lock_timeout,
      current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout
    from pg_class where oid = 'ledger_entries'::regclass`);
  if (!row) throw new Error("there is no ledger");
  const { user, isOwner, mayRead, ...timeouts } = row;
  return { user, isOwner, mayRead, timeouts };
}
