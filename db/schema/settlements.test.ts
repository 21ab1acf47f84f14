import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INITIAL_STATES, listSteps } from "#domain/lifecycle.ts";
import { APPROVAL_STATES, SETTLEMENT_STATUSES } from "#domain/settlement.ts";
import { TRANSFER_STATES } from "#domain/transfer.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const list = (values: readonly string[]) => values.map((value) => `('${value}')`).join(", ");
/** `given` and what is missing, as a column. */
const maybe = (column: string, type: string, given: string) => `(values (${given}::${type}), (null)) as ${column}(${column})`;

/** The numbers of rows that the rules accept, and that the function judges otherwise than the rules. */
async function compare(call: string, rules: string, from: string): Promise<{ sound: number; other: number }> {
  const [row] = await database.sql.unsafe<{ sound: number; other: number }[]>(`select count(*) filter (where ${call})::int as sound,
    count(*) filter (where ${call} is distinct from (${rules}))::int as other from ${from}`);
  if (row === undefined) throw new Error("a count has a row");
  return row;
}

const SETTLEMENT = `settlement_is_sound(status, approval_state, batch_id, amount, gross, fee, net, external_tx_id, callback_url, confirmed_at, tx_hash,
  executed_at, failure_reason)`;

describe("the database's check of settlements", () => {
  it("accepts exactly the pairs of status and approval state that the lifecycle reaches", async () => {
    const reached = [...INITIAL_STATES, ...listSteps().map((step) => step.to)];
    const legal = [...new Set(reached.map(({ status, approvalState }) => `${status} ${approvalState ?? "-"}`))].sort();
    const rows = await database.sql.unsafe<{ pair: string }[]>(`
      select distinct status || ' ' || coalesce(approval_state, '-') as pair from (values ${list(SETTLEMENT_STATUSES)}) as a(status),
        (values ${list(APPROVAL_STATES)}, (null)) as b(approval_state), ${maybe("executed_at", "timestamptz", "now()")}, ${maybe("failure_reason", "text", "'why'")},
        ${maybe("confirmed_at", "timestamptz", "now()")}, (values (1, 3, 1, 2)) as c(amount, gross, fee, net),
        lateral (select case when confirmed_at is not null then 'given' end as external_tx_id, case when confirmed_at is not null then 'url' end as callback_url,
          case when executed_at is not null then 'hash' end as tx_hash, null as batch_id) as d
      where ${SETTLEMENT}`);
    expect(rows.map(({ pair }) => pair).sort()).toEqual(legal);
  });

  it("accepts of all combinations those that each of the rules accepts", async () => {
    const found = await compare(
      SETTLEMENT,
      `gross = net + fee and net > 0 and amount > 0 and (status = 'executed') = (tx_hash is not null and executed_at is not null)
      and (status = 'failed') = (failure_reason is not null) and (status in ('processing', 'executed', 'failed')) = (confirmed_at is not null)
      and (confirmed_at is null or external_tx_id is not null) and (external_tx_id is null or confirmed_at is not null or batch_id is not null)
      and (callback_url is null or confirmed_at is not null) and (confirmed_at is null or callback_url is not null or batch_id is not null)
      and (status not in ('processing', 'executed', 'failed') or coalesce(approval_state, 'approved') = 'approved')
      and (status <> 'quoted' or approval_state is distinct from 'rejected')`,
      `(values ${list(SETTLEMENT_STATUSES)}) as a(status), (values ${list(APPROVAL_STATES)}, (null)) as b(approval_state),
      (values (1, 3, 1, 2), (0, 3, 1, 2), (1, 1, 1, 0), (1, 4, 1, 2)) as c(amount, gross, fee, net), ${maybe("batch_id", "text", "'bat'")},
      ${maybe("external_tx_id", "text", "'ref'")}, ${maybe("callback_url", "text", "'url'")}, ${maybe("confirmed_at", "timestamptz", "now()")},
      ${maybe("tx_hash", "text", "'hash'")}, ${maybe("executed_at", "timestamptz", "now()")}, ${maybe("failure_reason", "text", "'why'")}`,
    );
    expect(found).toEqual({ sound: expect.any(Number), other: 0 });
    expect(found.sound).toBeGreaterThan(0);
  });
});

describe("the database's check of payments", () => {
  it("accepts of all combinations those that each of the rules accepts", async () => {
    const found = await compare(
      "transfer_is_sound(state, amount, call_to, call_value, call_data, call_sender, due_at, executed_at, tx_hash, failure_reason, waiting_kind, orphaned_since)",
      `(amount > 0 or (call_data is not null and amount = 0))
      and (call_data is not null or (call_to is null and call_value is null))
      and (due_at is null) = (state in ('executed', 'failed', 'needs_review')) and (state = 'executed') = (executed_at is not null)
      and (state not in ('mined', 'executed') or tx_hash is not null) and (orphaned_since is null or state = 'executed')
      and (waiting_kind is null or waiting_kind in ('treasury_funding', 'chain_unavailable', 'review', 'hold'))
      and (state = 'failed') = (failure_reason is not null)`,
      `(values ${list(TRANSFER_STATES)}) as a(state), (values (-1), (0), (1)) as b(amount), ${maybe("call_to", "text", "'to'")},
      ${maybe("call_value", "numeric", "1")}, ${maybe("call_data", "text", "'0x'")}, ${maybe("call_sender", "text", "'who'")},
      ${maybe("due_at", "timestamptz", "now()")}, ${maybe("executed_at", "timestamptz", "now()")}, ${maybe("tx_hash", "text", "'hash'")},
      ${maybe("failure_reason", "text", "'why'")}, (values ('hold'), ('other'), (null)) as c(waiting_kind), ${maybe("orphaned_since", "timestamptz", "now()")}`,
    );
    expect(found).toEqual({ sound: expect.any(Number), other: 0 });
    expect(found.sound).toBeGreaterThan(0);
  });
});
