import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Raw } from "#db/columns.ts";
import { unfinished } from "#db/queries/transfers/unfinished.ts";

/** Work that needs somebody's attention now. */
export type Attention = {
  awaitingApproval: number;
  oldestApprovalAt: Date | null;
  /** Approved, and neither confirmed nor expired. */
  approvedUnconfirmed: number;
  undeliveredCallbacks: number;
  /** Whether there ever was one: before that nothing can be said of deliveries. */
  anyCallback: boolean;
  /** Failed at least once, and still tried. */
  retryingCallbacks: number;
  /** Confirmed more than 10 minutes ago. */
  slowProcessing: number;
  /** Transfers that wait for a person. Only for operators; a partner gets 0. */
  needsReview: number;
  /** Fiat orders that wait for a person, as above. */
  ambiguousOrders: number;
  /** Payments on hold, as above. */
  heldPayments: number;
  /** Halted scopes. Only for operators. */
  haltedLanes: number;
};

const SLOW = sql`interval '10 minutes'`;

/** Counts of what is open, by partial indexes: they do not grow with the history. `partnerId` null: the operator's. */
export async function readAttention(db: Database, partnerId: string | null): Promise<Attention> {
  const own = partnerId === null ? sql`` : sql`and partner_id = ${partnerId}::uuid`;
  const halted: SQL = partnerId === null ? sql`(select count(*)::int from lane_halts where lifted_at is null)` : sql`0`;
  const review: SQL =
    partnerId === null ? sql`(select count(*)::int from transfers where ${unfinished()} and state = 'needs_review')` : sql`0`;
  const held: SQL = partnerId === null ? sql`(select count(*)::int from payment_holds where outcome = 'open')` : sql`0`;
  const ambiguous: SQL =
    partnerId === null
      ? sql`(select count(*)::int from withdrawals where ambiguous_since is not null) + (select count(*)::int from topups where ambiguous_since is not null)`
      : sql`0`;
  const [row] = await db.execute<Raw<Attention>>(sql`
    select
      (select count(*)::int from settlements where status = 'quoted' and approval_state = 'pending' ${own}) as "awaitingApproval",
      (select min(created_at) from settlements where status = 'quoted' and approval_state = 'pending' ${own}) as "oldestApprovalAt",
      (select count(*)::int from settlements where approval_decided_at > (select business_now()) - interval '7 days' and status = 'quoted'
        and approval_state = 'approved' and expires_at > (select business_now()) ${own}) as "approvedUnconfirmed",
      (select count(*)::int from callbacks where state = 'undelivered' ${own}) as "undeliveredCallbacks",
      exists (select 1 from callbacks where true ${own}) as "anyCallback",
      (select count(*)::int from callbacks where failing_since is not null and state = 'pending' ${own}) as "retryingCallbacks",
      (select count(*)::int from settlements where status = 'processing' and confirmed_at < (select business_now()) - ${SLOW} ${own}) as "slowProcessing",
      ${review} as "needsReview", ${ambiguous} as "ambiguousOrders", ${held} as "heldPayments", ${halted} as "haltedLanes"`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  return { ...row, oldestApprovalAt: row.oldestApprovalAt === null ? null : new Date(row.oldestApprovalAt) };
}

/** The steps of a partner's first settlement, in their order. */
export const SETUP_STEPS = [
  "key_created",
  "first_signed_call",
  "first_quote",
  "first_confirmed",
  "first_executed",
  "first_callback",
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** The partner's completed onboarding steps. Each reads one row. */
export async function readSetupSteps(db: Database, partnerId: string): Promise<Record<SetupStep, boolean>> {
  const id = sql`partner_id = ${partnerId}::uuid`;
  const [row] = await db.execute<Record<SetupStep, boolean>>(sql`
    select exists (select 1 from api_keys where ${id}) as key_created,
      exists (select 1 from api_keys where ${id} and last_used_at is not null) as first_signed_call,
      exists (select 1 from settlements where ${id}) as first_quote,
      exists (select 1 from settlements where ${id} and external_tx_id is not null) as first_confirmed,
      exists (select 1 from settlements where ${id} and status = 'executed') as first_executed,
      exists (select 1 from callbacks where ${id} and state = 'delivered') as first_callback`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  return row;
}
