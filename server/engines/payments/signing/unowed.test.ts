import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "#db/client.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import type { TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";

const MOST = 900_000_000_000n;
let chain: TestChain;
let stage: MoneyStage;
let partner: TestPartner;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

async function setUp(): Promise<void> {
  stage = await openMoneyStage(chain, { partners: 1 });
  const [first] = stage.partners;
  if (first === undefined) throw new Error("the stage has no partner");
  partner = first;
}

const TAMPERED = ["transfers", "settlements", "settlement_quotes", "audit_entries", "topups", "withdrawals"];

/** As somebody who owns the database, and takes its triggers away. */
async function tamper(...statements: string[]): Promise<void> {
  const owner = openDatabase({ url: stage.url, applicationName: "owner", maxConnections: 1 });
  await owner.sql.begin(async (tx) => {
    for (const table of TAMPERED) await tx.unsafe(`alter table ${table} disable trigger user`);
    for (const statement of statements) await tx.unsafe(statement);
    for (const table of TAMPERED) await tx.unsafe(`alter table ${table} enable trigger user`);
  });
  await owner.close();
}

async function confirmPayment(recipient: string = newAddress()): Promise<string> {
  const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: recipient });
  await stage.confirm(partner, id);
  return id;
}

const signed = async () => Number((await stage.sql`select count(*)::int as count from transaction_attempts`)[0]?.count);

describe("a row in `transfers` that nobody owes", () => {
  it.each([
    ["settlement", "settlement"],
    ["topup", "topup"],
    ["sweep", "withdrawal"],
    ["return", "withdrawal"],
    ["deployment", "safeDeployment"],
  ] as const)("of purpose %s is not signed: it halts its chain, and says what is wrong", async (purpose, owner) => {
    await setUp();
    const thief = newAddress();
    const { partnerId } = partner;
    const owed = await stage.enqueuePayment({ purpose, ownerId: newId(owner, new Date()), partnerId, recipient: thief, amountBase: MOST });
    await stage.run(stage.newTransfers(), [owed.id], 4);
    expect(await stage.tokenBalance(thief)).toBe(0n);
    expect(await signed()).toBe(0);
    expect(await stage.transfer(owed.id)).toMatchObject({ state: "queued" });
    const [halt, ...others] = await listOpenHalts(stage.ctx);
    expect(others).toEqual([]);
    expect(halt).toMatchObject({ scope: { kind: "chain", key: chain.chain }, cause: "unowed_payment" });
    expect(halt?.evidence.unowed).toMatchObject([{ transfer_id: owed.id, purpose, owner_id: owed.ownerId }]);
  });

  it("is left out once people have lifted the halt, halts nothing again, and keeps no other payment waiting", async () => {
    await setUp();
    const [thief, recipient] = [newAddress(), newAddress()];
    const forged = await stage.enqueuePayment({ partnerId: partner.partnerId, recipient: thief, amountBase: MOST });
    const worker = stage.newTransfers();
    await stage.run(worker, [forged.id], 2);
    expect(await listOpenHalts(stage.ctx)).toHaveLength(1);
    await stage.sql`update lane_halts set lifted_at = since, lifted_by = 'a', lift_reason = 'We look into the row.' where lifted_at is null`;
    await confirmPayment(recipient);
    await stage.run(worker, [forged.id], 8);
    expect(await stage.tokenBalance(recipient)).toBeGreaterThan(0n);
    expect(await stage.tokenBalance(thief)).toBe(0n);
    expect(await listOpenHalts(stage.ctx)).toEqual([]);
    const nonces = await stage.sql<{ nonce: string }[]>`select nonce from transactions order by nonce`;
    expect(nonces.map(({ nonce }) => Number(nonce) - Number(nonces[0]?.nonce))).toEqual(nonces.map((_, index) => index));
  });
});

describe("a settlement that the owner of the database has changed is not paid:", () => {
  const THIEF = newAddress();
  const changes: Record<string, [change: (id: string) => string[], fault: RegExp]> = {
    "the payment's recipient": [(id) => [`update transfers set recipient = '${THIEF}' where owner_id = '${id}'`], /recipient is/],
    "the payment's amount": [(id) => [`update transfers set amount_base = amount_base * 2 where owner_id = '${id}'`], /amount is/],
    "both amounts": [
      (id) => [
        `update transfers set amount_base = amount_base * 2 where owner_id = '${id}'`,
        `update settlements set destination_amount_base = destination_amount_base * 2, gross_base = gross_base + destination_amount_base where id = '${id}'`,
      ],
      /not that of the quote that was kept/,
    ],
    "all amounts, the kept quote's too": [
      (id) => [
        `update transfers set amount_base = amount_base * 2 where owner_id = '${id}'`,
        ...["settlements where id", "settlement_quotes where settlement_id"].map((place) => {
          const [table, where] = place.split(" where ");
          return `update ${table} set destination_amount_base = destination_amount_base * 2, gross_base = gross_base + destination_amount_base where ${where} = '${id}'`;
        }),
      ],
      /gross is/,
    ],
    "its step": [
      (id) => [
        `update settlements set status = 'cancelled', confirmed_at = null, external_tx_id = null, callback_url = null where id = '${id}'`,
      ],
      /is cancelled/,
    ],
    "its confirmation": [
      (id) => [`delete from audit_entries where object_id = '${id}' and action = 'settlement.confirmed'`],
      /no confirmation/,
    ],
    "its kept quote": [(id) => [`delete from settlement_quotes where settlement_id = '${id}'`], /not kept/],
    "its approval": [(id) => [`update settlements set approval_state = 'approved' where id = '${id}'`], /0 approvals of 1/],
  };

  it.each(Object.entries(changes))("%s", async (_name, [change, fault]) => {
    await setUp();
    const recipient = newAddress();
    const id = await confirmPayment(recipient);
    await tamper(...change(id));
    const owed = await findTransferOf(stage.db, "settlement", id);
    await stage.run(stage.newTransfers(), [owed?.id ?? ""], 3);
    expect([await stage.tokenBalance(recipient), await stage.tokenBalance(THIEF), await signed()]).toEqual([0n, 0n, 0]);
    expect((await listOpenHalts(stage.ctx)).map(({ detail }) => detail)).toEqual([expect.stringMatching(fault)]);
  });

  it("and a higher fee signs it no second time, once it is changed after its first attempt", async () => {
    await setUp();
    const id = await confirmPayment();
    const worker = stage.newTransfers();
    const owed = await findTransferOf(stage.db, "settlement", id);
    if (owed === null) throw new Error("nothing is owed");
    await runTransfersOnce(worker, chain.chain);
    expect(await signed()).toBe(1);
    await tamper(`update settlements set status = 'failed', failure_reason = 'x' where id = '${id}'`);
    await stage.sql`update transfers set bump_requested_at = clock_timestamp() where id = ${owed.id}`;
    await runTransfersOnce(worker, chain.chain);
    expect(await signed()).toBe(1);
    expect((await listOpenHalts(stage.ctx)).map(({ cause }) => cause)).toEqual(["unowed_payment"]);
  });
});

describe("an order that the owner of the database has changed is not paid:", () => {
  it("a top-up of which the provider has said nothing", async () => {
    await setUp();
    const wallet = newAddress();
    const id = await stage.topUp(partner, { amountMinor: 100_000n, wallet });
    await tamper(`update topups set step = 'sending', status = 'processing', due_at = null where id = '${id}'`);
    const [order] = await stage.sql<{ amount: string }[]>`select destination_amount_base::text as amount from topups where id = ${id}`;
    const payment = { purpose: "topup", ownerId: id, partnerId: partner.partnerId, recipient: wallet } as const;
    const owed = await stage.enqueuePayment({ ...payment, amountBase: BigInt(order?.amount ?? 0) });
    await stage.run(stage.newTransfers(), [owed.id], 3);
    expect([await stage.tokenBalance(wallet), await signed()]).toEqual([0n, 0]);
    expect((await listOpenHalts(stage.ctx)).map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/has not said that the fiat came in/),
    ]);
  });

  it("a withdrawal whose sweep leads out of the treasury", async () => {
    await setUp();
    const thief = newAddress();
    const id = await stage.withdraw(partner, { amountMinor: 100_000n });
    const runOrders = stage.newOrders();
    for (let pass = 0; pass < 5 && (await findTransferOf(stage.db, "sweep", id)) === null; pass += 1) await runOrders();
    await tamper(
      `update withdrawals set treasury_address = '${thief}' where id = '${id}'`,
      `update transfers set recipient = '${thief}', call_data = replace(call_data, lower(substr(recipient, 3)), lower(substr('${thief}', 3)))
        where purpose = 'sweep' and owner_id = '${id}'`,
    );
    const owed = await findTransferOf(stage.db, "sweep", id);
    await stage.run(stage.newTransfers(), [owed?.id ?? ""], 3);
    expect([await stage.tokenBalance(thief), await signed()]).toEqual([0n, 0]);
    expect((await listOpenHalts(stage.ctx)).map(({ detail }) => detail)).toEqual([expect.stringMatching(/is no wallet of the treasury/)]);
  });
});

describe("a worker that was frozen while another one paid", () => {
  type Frozen = "claim" | "sign" | "admit";

  /** It does this after its next claim, or before the next call of that kind reaches the signer. */
  function frozenAt(place: Frozen, meanwhile: () => Promise<void>) {
    const worker = stage.newTransfers();
    const { db, signers } = worker.ctx;
    let work: (() => Promise<void>) | null = meanwhile;
    const once = async () => {
      const first = work;
      work = null;
      await first?.();
    };
    const execute = async (...given: Parameters<Database["execute"]>) => {
      const rows = await db.execute(...given);
      const claimed = await stage.sql`select 1 from transfers where lease_token is not null`;
      if (claimed.length > 0) await once();
      return rows;
    };
    const later =
      <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
      async (...given: Given) => {
        await once();
        return await ask(...given);
      };
    const powers = {
      claim: { db: Object.assign(Object.create(db), { execute }) },
      sign: { signers: { ...signers, sign: later(signers.sign) } },
      admit: { signers: { ...signers, admit: later(signers.admit) } },
    };
    return { ...worker, ctx: { ...worker.ctx, ...powers[place] } };
  }

  it.each([
    ["reads what it has claimed", "claim", false],
    ["asks for the first signature", "sign", false],
    ["asks for a higher fee", "sign", true],
    ["has its stored bytes opened", "admit", false],
  ] as const)("halts nothing when it resumes and %s", async (_when, place, isBump) => {
    await setUp();
    const recipient = newAddress();
    const id = await confirmPayment(recipient);
    const owed = await findTransferOf(stage.db, "settlement", id);
    if (owed === null) throw new Error("nothing is owed");
    if (isBump) {
      await runTransfersOnce(stage.newTransfers(), chain.chain);
      await stage.letLeasesLapse();
      await stage.sql`update transfers set bump_requested_at = clock_timestamp() where id = ${owed.id}`;
    }
    const frozen = frozenAt(place, async () => {
      await stage.letLeasesLapse();
      await stage.run(stage.newTransfers(), [owed.id], 8);
      await stage.letLeasesLapse();
    });
    await runTransfersOnce(frozen, chain.chain);
    await runTransfersOnce(frozen, chain.chain);
    expect(await listOpenHalts(stage.ctx)).toEqual([]);
    expect(await stage.transfer(owed.id)).toMatchObject({ state: "executed" });
    const [paid] = await stage.sql<{ amount: string }[]>`select destination_amount_base::text as amount from settlements where id = ${id}`;
    expect(await stage.tokenBalance(recipient)).toBe(BigInt(paid?.amount ?? 0));
  });
});

describe("by the service's own log-in", () => {
  it.each([
    "recipient = '0x00000000000000000000000000000000000000aa'",
    "amount_base = amount_base + 1",
    "token_address = '0x00000000000000000000000000000000000000bb'",
    "owner_id = 'tx_other'",
    "call_data = '0x', call_to = recipient, call_value_base = 1",
  ])("a payment cannot be changed: %s", async (change) => {
    await setUp();
    await confirmPayment();
    await expect(stage.sql.unsafe(`update transfers set ${change}`)).rejects.toThrow(/is fixed/);
  });
});
