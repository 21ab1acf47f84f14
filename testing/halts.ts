import type postgres from "postgres";

/** Lifts every halt, like two people. */
export async function liftHalts(sql: postgres.Sql): Promise<void> {
  await sql`update lane_halts set lifted_at = now(), lifted_by = 'a test', lift_reason = 'looked into' where lifted_at is null`;
}
