import type postgres from "postgres";

/** Ends limits: another version of each is off, and concerns nothing that is paid. */
export async function endLimits(sql: postgres.Sql): Promise<void> {
  await sql`with ended as (update exposure_limits set replaced_at = now() where replaced_at is null returning *)
    insert into exposure_limits (id, version, kind, mode, chain, reason, made_at) select id, version + 1, kind, 'off', 'none:0', 'ended', now() from ended`;
}
