import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { type EnqueueTransfer, enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { batchItem, batchOf } from "#testing/batches.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { type Database, scopedTo } from "./client.ts";

/** What the roles of the processes can write about payments: each statement is one that an intruder with that log-in would try. */

let database: TestDatabase;
let partner: Database;
let ask: (target: string, body: object) => Promise<Record<string, unknown>>;
let partnerId: string;
const RECIPIENT = "0x52908400098527886E0F7030069857D2E4169EE7";
const THIEF = `0x${"de".repeat(20)}`;

beforeAll(async () => {
  database = await createTestDatabase();
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  const surfaceContext = testSurfaceContext(testContext(database.db));
  const key = await issueKey(surfaceContext.ctx);
  partnerId = key.partnerId ?? "";
  partner = scopedTo(database.web, { of: "partner", id: partnerId });
  const { surface, bindings } = REGISTRY.settlement;
  ask = async (target, body) => {
    const request = signedRequest(key, { method: "POST", target, body: JSON.stringify(body) });
    return readAnswer(await handle(surface, surfaceContext, bindings, request)).body;
  };
  await database.sql`insert into wallets (id, chain, address, fencing_token, created_at)
    values (gen_random_uuid(), ${TEST_CHAIN.chain}, ${`0x${"aa".repeat(20)}`}, 0, now())`;
});
afterAll(() => database.close());

async function quote(): Promise<string> {
  const terms = { source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-1" };
  const place = { chain: TEST_CHAIN.chain, wallet_address: RECIPIENT, callback_url: "http://localhost:9/callback" };
  return String((await ask("/api/v1/settlements", { ...terms, ...place })).tx_id);
}

async function confirmed(): Promise<string> {
  const id = await quote();
  await ask(`/api/v1/settlements/${id}/confirm`, { external_tx_id: randomUUID() });
  return id;
}

/** The database's answer: how many rows, or why not. */
async function tried(db: Database, statement: string): Promise<string> {
  try {
    return `${[...(await db.execute(sql.raw(statement)))].length} rows`;
  } catch (error) {
    return String((error as { cause?: Error }).cause?.message ?? error);
  }
}

const as = { web: () => database.web, partner: () => partner, worker: () => database.worker };
const insertion = (
  owner: string,
) => `insert into transfers (id, purpose, owner_id, chain, currency, token_decimals, amount_base, recipient, state, due_at, created_at, updated_at)
  values ('tr_${randomUUID()}', 'settlement', '${owner}', '${TEST_CHAIN.chain}', 'USDT', 6, 900000000, '${THIEF}', 'queued', now(), now(), now())`;

describe.each(["web", "partner", "worker"] as const)("the role of the %s", (kind) => {
  it("inserts no payment, deletes none, and changes nothing of what one pays", async () => {
    const id = await confirmed();
    expect(await tried(as[kind](), insertion(await quote()))).toBe("permission denied for table transfers");
    for (const statement of [
      `delete from transfers where owner_id = '${id}'`,
      ...["id", "purpose", "owner_id", "chain", "currency", "token_address", "recipient", "call_to"].map(
        (column) => `update transfers set ${column} = '${THIEF}' where owner_id = '${id}'`,
      ),
      `update transfers set amount_base = 900000000 where owner_id = '${id}'`,
    ])
      expect([statement, await tried(as[kind](), statement)]).toEqual([statement, "permission denied for table transfers"]);
  });

  it("has a payment copied from what owes it, once, and from nothing that does not", async () => {
    const [quoted, owed] = [await quote(), await confirmed()];
    const owe = (owner: string, of = partnerId) =>
      tried(as[kind](), `select * from owe_settlement('tr_${randomUUID()}', '${owner}', '${of}')`);
    if (kind === "worker") return expect(await owe(owed)).toBe("permission denied for function owe_settlement");
    expect(await owe(quoted)).toBe(`settlement ${quoted} owes no payment`);
    expect(await owe("st_of_nobody")).toBe("settlement st_of_nobody owes no payment");
    expect(await owe(owed, randomUUID())).toBe(`settlement ${owed} owes no payment`);
    expect(await owe(owed)).toBe("0 rows");
    const [row] = await database.sql`
      select t.recipient, t.amount_base = s.destination_amount_base and t.token_address is not distinct from s.token_address and t.created_at = s.confirmed_at as same
      from transfers t join settlements s on s.id = t.owner_id where s.id = ${owed}`;
    expect(row).toEqual({ recipient: RECIPIENT, same: true });
  });

  it("owes no order and no call that is not there", async () => {
    const order = (what: string) => tried(as[kind](), `select * from owe_order('tr_x', '${what}', 'tu_x', '${partnerId}')`);
    const call = (what: string, owner: string) =>
      tried(as[kind](), `select * from owe_call('tr_x', '${what}', '${owner}', '${partnerId}', '{}')`);
    const mayOrder = kind !== "partner";
    for (const what of ["topup", "return", "settlement", "sweep"])
      expect([what, await order(what)]).toEqual([
        what,
        mayOrder ? `${what} tu_x owes no payment` : "permission denied for function owe_order",
      ]);
    for (const [what, owner] of [
      ["sweep", "wd_x"],
      ["deployment", "sd_x"],
      ["filler", `${randomUUID()}:1`],
      ["settlement", "st_x"],
    ] as const)
      expect([what, await call(what, owner)]).toEqual([
        what,
        kind === "worker" ? `${what} ${owner} owes no payment` : "permission denied for function owe_call",
      ]);
  });

  it("holds a payment by an open hold alone, and a partner's request releases none", async () => {
    const id = await confirmed();
    expect(await tried(as[kind](), "select hold_payments(array['ph_of_nobody'])")).toBe("1 rows");
    const [row] = await database.sql`select waiting_kind as kind from transfers where owner_id = ${id}`;
    expect(row).toEqual({ kind: null });
    if (kind === "partner")
      expect(await tried(partner, `update transfers set waiting_kind = null where owner_id = '${id}'`)).toBe(
        "permission denied for table transfers",
      );
  });
});

it("is owed once, and a service that derives another payment from the same order fails with its transaction", async () => {
  const id = await confirmed();
  const [kept] = await database.sql`select * from transfers where owner_id = ${id}`;
  if (kept === undefined) throw new Error("nothing is owed");
  const owed = (more: Partial<EnqueueTransfer> = {}): EnqueueTransfer => ({
    purpose: "settlement",
    ownerId: id,
    partnerId,
    chain: kept.chain,
    currency: kept.currency,
    tokenAddress: kept.token_address,
    tokenDecimals: kept.token_decimals,
    amountBase: BigInt(kept.amount_base),
    recipient: kept.recipient,
    now: new Date(),
    ...more,
  });
  const enqueue = (more?: Partial<EnqueueTransfer>) => database.web.transaction((tx) => enqueueTransfer(tx, owed(more)));
  await enqueue();
  for (const more of [{ amountBase: 1n }, { recipient: THIEF }])
    await expect(enqueue(more)).rejects.toThrow("is already owed another settlement transfer");
  expect([...(await database.sql`select * from transfers where owner_id = ${id}`)]).toEqual([kept]);
});

describe("the web's role", () => {
  it("moves no payment that was signed, and nothing to signed; a queued one it ends", async () => {
    const id = await confirmed();
    const move = (state: string, more = "") =>
      tried(database.web, `update transfers set state = '${state}'${more} where owner_id = '${id}'`);
    expect(await move("signed")).toBe("a payment that is queued is moved by the worker only");
    await database.sql`update transfers set state = 'signed' where owner_id = ${id}`;
    for (const state of ["queued", "broadcast", "needs_review"])
      expect([state, await move(state)]).toEqual([state, "a payment that is signed is moved by the worker only"]);
    const other = await confirmed();
    const end = `update transfers set state = 'failed', failure_reason = 'x', due_at = null where owner_id = '${other}'`;
    expect(await tried(database.web, end)).toBe("0 rows");
  });

  it("supersedes no transaction of a payment that does not wait for a decision", async () => {
    const id = await confirmed();
    await database.sql`update transfers set state = 'signed' where owner_id = ${id}`;
    await database.sql`insert into transactions (id, transfer_id, wallet_id, nonce, value_base, data, intent_hash, look_at, bump_at, created_at)
      select 'tn_of_the_test', t.id, w.id, 7, 0, '0x', 'x', now(), now(), now() from transfers t, wallets w where t.owner_id = ${id}`;
    const supersede = "update transactions set superseded_at = now() where id = 'tn_of_the_test'";
    expect(await tried(database.web, supersede)).toMatch(/^the transaction of tr_.* is superseded by the worker only$/);
    expect(await tried(database.worker, supersede)).toBe("0 rows");
  });

  it("writes to no wallet but its state, no transaction, no bytes, and of a halt its lift alone", async () => {
    for (const [statement, table] of [
      [
        "insert into wallets (id, chain, address, fencing_token, created_at) values (gen_random_uuid(), 'eip155:1', '0x', 0, now())",
        "wallets",
      ],
      [`update wallets set address = '${THIEF}'`, "wallets"],
      ["update wallets set next_nonce = 0", "wallets"],
      ["delete from transactions", "transactions"],
      ["update transactions set nonce = 0", "transactions"],
      ["insert into transactions (id) values ('x')", "transactions"],
      ["insert into transaction_attempts (hash) values ('x')", "transaction_attempts"],
      ["update transaction_attempts set raw_bytes = '0x'", "transaction_attempts"],
      ["delete from lane_halts", "lane_halts"],
      ["update lane_halts set cause = 'operator'", "lane_halts"],
      ["update exposure_limits set id = 'x'", "exposure_limits"],
      ["delete from exposure_limits", "exposure_limits"],
    ] as const)
      expect([statement, await tried(database.web, statement)]).toEqual([statement, `permission denied for table ${table}`]);
  });
});

describe("the worker's role", () => {
  it("makes no settlement that owes anything, by an insert or by a change", async () => {
    const id = await quote();
    const columns = "select * from json_populate_record(null::settlements, (select to_json(s) from settlements s where id = '%')::json)";
    const copy = `with kept as (${columns.replace("%", id)}) insert into settlements select k.* from kept k
      on conflict on constraint settlements_pkey do update set status = 'processing'`;
    expect(await tried(database.worker, copy)).toMatch(/row-level security policy/);
    expect(await tried(database.worker, `update settlements set status = 'processing' where id = '${id}'`)).toMatch(
      /row-level security policy/,
    );
  });

  it("adds no settlement, and so none to a batch that a partner is about to confirm", async () => {
    const items = [batchItem({ wallet_address: RECIPIENT }), batchItem({ wallet_address: RECIPIENT })];
    const { batch_id: id } = await ask("/api/v1/settlement-batches", batchOf(items, { callback_url: "http://localhost:9/callback" }));
    const forged = { id: `tx_${randomUUID()}`, external_tx_id: randomUUID(), wallet_address: THIEF, quote_version: 0 };
    const copy = `insert into settlements select (jsonb_populate_record(s, '${JSON.stringify(forged)}'::jsonb)).* from settlements s where s.batch_id = '${id}' limit 1`;
    expect(await tried(database.worker, copy)).toBe(`the settlement ${forged.id} is made by a partner only`);
    await ask(`/api/v1/settlement-batches/${id}/confirm`, {});
    const paid =
      await database.sql`select t.recipient from transfers t join settlements s on s.id = t.owner_id where s.batch_id = ${String(id)}`;
    expect(paid.map(({ recipient }) => recipient)).toEqual([RECIPIENT, RECIPIENT]);
  });

  it("takes no demand for an approval away", async () => {
    const id = await quote();
    await database.sql`update settlements set approval_state = null where id = ${id}`;
    await database.sql`insert into settlements select (jsonb_populate_record(s, jsonb_build_object('id', ${`${id}_pending`}::text, 'approval_state', 'pending'))).*
      from settlements s where s.id = ${id}`;
    const set = (state: string) => tried(database.worker, `update settlements set approval_state = ${state} where id = '${id}_pending'`);
    expect(await set("null")).toBe(`the approval of ${id}_pending is pending, and does not become none`);
    expect(await tried(database.worker, `update settlements set approval_state = 'approved' where id = '${id}'`)).toBe(
      `the approval of ${id} is none, and does not become approved`,
    );
  });

  it("changes who no member is, whose no order is, and begins no order again that has ended", async () => {
    const member = randomUUID();
    await database.sql`insert into members (id, partner_id, external_user_id, phone, wallet_address, chain, created_at, updated_at)
      values (${member}, ${partnerId}, ${member}, '+254700000000', ${RECIPIENT}, ${TEST_CHAIN.chain}, now(), now())`;
    for (const column of ["id", "partner_id", "external_user_id", "phone", "name", "chain"])
      expect([column, await tried(database.worker, `update members set ${column} = '${randomUUID()}'`)]).toEqual([
        column,
        "permission denied for table members",
      ]);
    for (const kind of ["web", "worker"] as const)
      expect(await tried(as[kind](), `update members set wallet_address = '${THIEF}' where id = '${member}'`)).toBe(
        `the wallet of the member ${member} is fixed`,
      );
    expect(await tried(database.worker, `update members set safe_status = 'deploying' where id = '${member}'`)).toBe(
      `the Safe of the member ${member} is its own, and does not become deploying`,
    );
  });

  it("makes no order, sets no terms, approves nothing, decides nothing and lifts no halt", async () => {
    for (const table of [
      "topups",
      "withdrawals",
      "pair_terms",
      "settlement_quotes",
      "settlement_approvals",
      "approval_policies",
      "proposals",
      "users",
    ])
      expect([table, await tried(database.worker, `insert into ${table} default values`)]).toEqual([
        table,
        `permission denied for table ${table}`,
      ]);
    expect(await tried(database.worker, "update lane_halts set lifted_at = now()")).toBe("permission denied for table lane_halts");
    expect(await tried(database.worker, "update wallets set state = 'active'")).toBe("permission denied for table wallets");
  });
});
