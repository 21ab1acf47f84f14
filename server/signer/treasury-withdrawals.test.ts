import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { findTransferOf, listTransfers } from "#db/queries/transfers/transfers.ts";
import { lockTreasuryWithdrawal } from "#db/queries/transfers/treasury-withdrawals.ts";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import { isRefusal } from "#domain/refusal.ts";
import { type TreasuryWithdrawal, treasuryWithdrawalDecision } from "#domain/treasury-withdrawal.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { TRANSFER_STEPS, type TransferEngine, type TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { EvmDirectory } from "#server/ports.ts";
import { haltScope, listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { settleLines } from "#server/services/treasury/settle-lines.ts";
import { watchMovements } from "#server/services/treasury/watch-movements.ts";
import {
  proposeTreasuryWithdrawal,
  readTreasuryWithdrawals,
  rejectTreasuryWithdrawal,
  signTreasuryWithdrawal,
} from "#server/services/treasury/withdraw-crypto.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { copyTestDatabase, processOf, type TestDatabase } from "#testing/database.ts";
import { Died, runToDeath } from "#testing/death.ts";
import { addDecidingPerson, type DecidingPerson, passkeys, signDecision } from "#testing/deciding-people.ts";
import { refusalOf } from "#testing/people.ts";
import { openTamperer } from "#testing/tamper.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { derivationOf } from "./derive.ts";

/** The operator takes crypto out of its own wallets: only what two admins have signed, only to the signer's own destinations, and once. */

const UNIT = 1_000_000n;
const clock = { now: () => new Date() };
/** A chain of another family, which names one destination. */
const SOLANA = {
  chain: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  wallet: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  vault: "EopUYmfzMwfoYiDNJykQDx3r1qbFdjBGUNPFgiqyV5Aa",
};
const solana = openSolanaChain({
  chain: SOLANA.chain,
  name: "Solana",
  rpcUrls: ["http://127.0.0.1:9"],
  tokens: [{ currency: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 }],
  treasuryDestinations: [SOLANA.vault],
});
const payingOnSolana = { list: () => [solana], find: (name: string) => (name === SOLANA.chain ? solana : null) };
const policy = { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 };

let chain: TestChain;
let bench: TransferBench;
let ana: DecidingPerson;
let ben: DecidingPerson;
/** The destinations of the settings. */
let vault: string;
let other: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

async function setUp(): Promise<TransferEngine> {
  [vault, other] = [newAddress(), newAddress()];
  bench = await openTransferBench(chain, { onFinal: completeOwner, wallets: 2, treasuryDestinations: [vault, other] });
  [ana, ben] = [await addDecidingPerson(bench.db), await addDecidingPerson(bench.db)];
  const worker = newWorker();
  await bench.run(worker, [], 1);
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  await bench.letLeasesLapse();
  return worker;
}

const derive = () => derivationOf({ passkeys, policy, mode: "sandbox", clock });
function newWorker(more: Parameters<TransferBench["newWorker"]>[0] = {}, evm: EvmDirectory = bench.ctx.evm): TransferEngine {
  const signers = bench.signersOf({ findUnowed: derive(), evm });
  return bench.newWorker({ ...more, ctx: { ...bench.ctx, db: processOf(bench.db, "worker"), signers } });
}
/** As the web process. */
const web = (db = bench.db) => ({
  db: processOf(db, "web"),
  passkeys,
  mode: "sandbox" as const,
  clock,
  evm: bench.ctx.evm,
  lapsing: payingOnSolana,
});

async function propose(more: Partial<Parameters<typeof proposeTreasuryWithdrawal>[1]> = {}): Promise<TreasuryWithdrawal> {
  const what = { walletAddress: bench.addresses[1] ?? "", currency: "USDT", amountBase: 10n * UNIT, recipient: vault };
  return await proposeTreasuryWithdrawal(web(), { by: ana.by, reason: "To cold storage", chain: chain.chain, ...what, ...more });
}

/** Asks what is to be signed, and signs it. */
async function sign(person: DecidingPerson, { id }: TreasuryWithdrawal) {
  const asked: unknown = await signTreasuryWithdrawal(web(), { by: person.by, id }).catch((refusal: unknown) => refusal);
  const decision = isRefusal(asked) ? asked.particulars.decision : undefined;
  if (decision === undefined) throw asked;
  return await signTreasuryWithdrawal(web(), { by: { ...person.by, signature: await signDecision(bench.db, person, decision) }, id });
}

async function approve(more: Parameters<typeof propose>[0] = {}) {
  const withdrawal = await propose(more);
  for (const person of [ana, ben]) await sign(person, withdrawal);
  const transfer = await findTransferOf(bench.db, "treasury_withdrawal", withdrawal.id);
  if (transfer === null) throw new Error("nothing is owed");
  return { withdrawal, transfer };
}

const stored = async ({ id }: TreasuryWithdrawal) => await bench.db.transaction((tx) => lockTreasuryWithdrawal(tx, id));
const received = async (recipient: string = vault) => (await bench.tokenBalance(recipient)) / UNIT;
const halts = async (db = bench.db) => (await listOpenHalts({ db })).map(({ cause }) => cause);

describe("a treasury withdrawal", () => {
  it("goes to the destinations that the settings of another family name, letter by letter", async () => {
    await setUp();
    await ensureWallet(bench.db, { chain: SOLANA.chain, address: SOLANA.wallet, signer: "sandbox", now: new Date() });
    const there = { chain: SOLANA.chain, walletAddress: SOLANA.wallet, currency: "USDC", recipient: SOLANA.vault };
    expect(await refusalOf(propose({ ...there, recipient: SOLANA.vault.toLowerCase() }))).toBe("validation_failed");
    expect(await refusalOf(propose({ ...there, recipient: "4Nd1mYvJpQnLhqkHMDsZbPB5XAz9JvZz7hJm3sQG3eZw" }))).toBe("validation_failed");
    expect(await refusalOf(propose({ ...there, walletAddress: SOLANA.wallet.toLowerCase() }))).toBe("not_found");
    expect(await propose(there)).toMatchObject({
      chain: SOLANA.chain,
      recipient: SOLANA.vault,
      walletAddress: SOLANA.wallet,
      state: "proposed",
    });
    const { places } = await readTreasuryWithdrawals(web());
    expect(places.find(({ chain: name }) => name === SOLANA.chain)).toMatchObject({
      wallets: [SOLANA.wallet],
      destinations: [SOLANA.vault],
    });
  });

  it("is paid once, out of its own wallet, after two admins have signed exactly it", async () => {
    const worker = await setUp();
    const before = await Promise.all(bench.addresses.map((address) => bench.tokenBalance(address)));
    const withdrawal = await propose();
    await bench.run(worker, [], 2);
    expect(await sign(ana, withdrawal)).toEqual({ signed: 1, needed: 2 });
    expect(await refusalOf(sign(ana, withdrawal))).toBe("same_approver");
    expect([await received(), await findTransferOf(bench.db, "treasury_withdrawal", withdrawal.id)]).toEqual([0n, null]);
    // Two others at once: one of them is the second, and it is owed once.
    const carl = await addDecidingPerson(bench.db);
    const decision = treasuryWithdrawalDecision(withdrawal);
    const both = await Promise.allSettled(
      [ben, carl].map(async (person) => {
        const by = { ...person.by, signature: await signDecision(bench.db, person, decision) };
        return await signTreasuryWithdrawal(web(), { by, id: withdrawal.id });
      }),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [owed] = await bench.sql<{ id: string }[]>`select id from transfers where purpose = 'treasury_withdrawal'`;
    await bench.run(worker, [owed?.id ?? ""]);
    expect(await stored(withdrawal)).toMatchObject({ state: "paid", failureReason: null, decidedBy: expect.any(String) });
    const after = await Promise.all(bench.addresses.map((address) => bench.tokenBalance(address)));
    expect(after.map((balance, at) => (before[at] ?? 0n) - balance)).toEqual([0n, 10n * UNIT]);
    expect(await received()).toBe(10n);
    const [entry] = await bench.sql`select e.cause, e.step, array_agg(p.account || ' ' || p.amount order by p.account) as lines
      from ledger_entries e join ledger_postings p on p.entry_id = e.id where e.cause_id = ${withdrawal.id} group by e.id`;
    expect(entry).toEqual({ cause: "treasury_withdrawal", step: "paid", lines: ["owner_funds 10000000", "treasury -10000000"] });
    expect((await listLedgerBalances(bench.db)).some(({ account }) => account === "suspense")).toBe(false);
    // Every event is explained by a transfer, and the books agree with the chain.
    const info = bench.ctx.evm.find(chain.chain);
    if (info === null) throw new Error("there is a chain");
    await watchMovements(bench.ctx, info, "wallet");
    await settleLines(bench.ctx, info);
    expect(await bench.sql`select 1 from suspense_lines`).toEqual([]);
    expect(await halts()).toEqual([]);
    await expectCleanAudit({ db: bench.db, passkeys, evm: bench.ctx.evm });
    expect(await refusalOf(sign(carl, withdrawal))).toBe("invalid_state");
    expect(await refusalOf(rejectTreasuryWithdrawal(web(), { by: ana.by, reason: "Too late", id: withdrawal.id }))).toBe("invalid_state");
  });

  it("is paid once wherever a worker dies", async () => {
    await setUp();
    const steps = TRANSFER_STEPS.filter((step) => !/^(?:bump|forfeit)_|^held$/.test(step));
    for (const [place, step] of steps.entries()) {
      const { withdrawal, transfer } = await approve({ amountBase: UNIT });
      expect([step, await runToDeath(doomed(step), chain)]).toEqual([step, true]);
      await bench.letLeasesLapse();
      await bench.run(newWorker(), [transfer.id], 16);
      await bench.letLeasesLapse();
      expect([step, (await stored(withdrawal))?.state, await received()]).toEqual([step, "paid", BigInt(place + 1)]);
    }
    await expectCleanAudit({ db: bench.db, passkeys, evm: bench.ctx.evm });
  });

  it("is proposed only for a wallet and a destination of the settings, and never moves once it is rejected", async () => {
    const worker = await setUp();
    expect(await refusalOf(propose({ recipient: newAddress() }))).toBe("validation_failed");
    expect(await refusalOf(propose({ walletAddress: newAddress() }))).toBe("not_found");
    expect(await refusalOf(propose({ currency: "KES" }))).toBe("not_found");
    expect(await refusalOf(propose({ amountBase: 0n }))).toBe("validation_failed");
    expect(await refusalOf(propose({ by: { ...ana.by, actor: { ...ana.by.actor, role: "approver" } } }))).toBe("forbidden");
    const withdrawal = await propose();
    await sign(ana, withdrawal);
    await rejectTreasuryWithdrawal(web(), { by: ben.by, reason: "Not today", id: withdrawal.id });
    expect(await refusalOf(sign(ben, withdrawal))).toBe("invalid_state");
    await bench.run(worker, [], 2);
    expect([await received(), (await stored(withdrawal))?.state]).toEqual([0n, "rejected"]);
    await expectCleanAudit({ db: bench.db, passkeys });
  });

  it("waits while the signer's own settings do not name its destination, above its caps, and while the chain is halted", async () => {
    const worker = await setUp();
    const { transfer } = await approve({ recipient: other });
    const narrow = bench.ctx.evm.list().map((one) => ({ ...one, treasuryDestinations: [vault] }));
    const evm = { list: () => narrow, find: (name: string) => narrow.find((one) => one.chain === name) ?? null };
    await bench.run(newWorker({}, evm), [transfer.id], 3);
    expect((await bench.transfer(transfer.id)).waitingReason).toContain(`do not name ${other} as a destination`);
    await bench.letLeasesLapse();
    const caps = [{ chain: chain.chain, token: chain.tokens.USDT, currency: "USDT", hourBase: 5n * UNIT, dayBase: null }];
    const capped = bench.signersOf({ findUnowed: derive(), caps });
    await bench.run(bench.newWorker({ ctx: { ...bench.ctx, signers: capped } }), [transfer.id], 3);
    expect((await bench.transfer(transfer.id)).waitingReason).toContain("The signer signs no more USDT in this hour");
    await bench.letLeasesLapse();
    const halt = { scope: { kind: "chain", key: chain.chain }, cause: "operator", detail: "By hand", by: ana.by } as const;
    await bench.db.transaction((tx) => haltScope(tx, halt));
    await bench.run(worker, [transfer.id], 3);
    expect([await received(other), (await bench.transfer(transfer.id)).state, await halts()]).toEqual([0n, "queued", ["operator"]]);
    const [open] = await listOpenHalts(bench.ctx);
    await liftHalt({ ...bench.ctx, mode: "sandbox" }, { by: ana.by, haltId: open?.id ?? "", reason: "Looked into" });
    await bench.letLeasesLapse();
    await bench.run(newWorker(), [transfer.id]);
    expect(await received(other)).toBe(10n);
  });
});

describe("whatever a row says", () => {
  it("nothing else is signed than what two people have signed", async () => {
    await setUp();
    const { withdrawal, transfer } = await approve({ amountBase: 3n * UNIT });
    const info = bench.ctx.evm.find(chain.chain);
    if (info === null) throw new Error("there is a chain");
    const { tamper, close } = openTamperer(bench.url);
    const judged = async (change: string) =>
      await tamper(change, async (tx) => (await derive()(tx, await listTransfers(tx, [transfer.id]), info)).get(transfer.id) ?? "owed");
    const both = (columns: string) => `update treasury_withdrawals set ${columns}; update transfers set ${columns}`;
    const wallet = bench.addresses[0] ?? "";
    const forged = [
      ["update transfers set amount_base = 4000000", /The amount is 4000000, and 3000000 is owed/],
      [`update transfers set recipient = '${other}'`, /The recipient is/],
      [`update transfers set call_sender = '${wallet}'`, /must pay it/],
      ["update transfers set call_sender = null", /paid by any wallet/],
      [`update transfers set currency = 'USDC', token_address = '${chain.tokens.USDC}'`, /The token is/],
      ["update treasury_withdrawals set state = 'rejected'", /The treasury withdrawal is rejected/],
      ["update treasury_withdrawals set state = 'paid'", /The treasury withdrawal is paid/],
      ["delete from treasury_withdrawals", /There is no treasury withdrawal/],
      [both("amount_base = 4000000"), /0 of 2 admins have signed it: it is over another withdrawal/],
      [both(`recipient = '${other}'`), /it is over another withdrawal/],
      [both(`currency = 'USDC', token_address = '${chain.tokens.USDC}'`), /it is over another withdrawal/],
      [
        `update treasury_withdrawals set wallet_address = '${wallet}'; update transfers set call_sender = '${wallet}'`,
        /it is over another withdrawal/,
      ],
      [`update treasury_withdrawals set id = 'tw_forged'; update transfers set owner_id = 'tw_forged'`, /0 of 2/],
      [`delete from decision_signatures where user_id = '${ben.id}'`, /1 of 2/],
      [`update decision_signatures set user_id = '${ana.id}'`, /names another person|ever registered/],
      [`update users set role = 'viewer' where id = '${ben.id}'`, /no admin any more/],
      [`delete from passkeys where user_id = '${ben.id}'`, /its passkey was removed/],
    ] as const;
    for (const [change, reason] of forged) expect([change, await judged(change)]).toEqual([change, expect.stringMatching(reason)]);
    expect(await judged("select 1")).toBe("owed");
    await close();
    // Through the worker: the chain halts, and nothing is paid.
    const owner = openDatabase({ url: bench.url, applicationName: "forger", maxConnections: 1 });
    await owner.sql.begin(async (tx) => {
      await tx`alter table transfers disable trigger user`;
      await tx`update transfers set amount_base = 4000000`;
      await tx`alter table transfers enable trigger user`;
    });
    await owner.close();
    await bench.run(newWorker(), [transfer.id], 3);
    expect([await received(), await halts(), (await stored(withdrawal))?.state]).toEqual([0n, ["unowed_payment"], "owed"]);
    expect(await bench.sql`select 1 from transactions`).toEqual([]);
  });

  it("no process adds, owes or changes one past the two people", async () => {
    await setUp();
    const proposed = await propose();
    const { withdrawal } = await approve();
    const as = { web: processOf(bench.db, "web"), worker: processOf(bench.db, "worker") };
    const tried = async (role: keyof typeof as, statement: string) =>
      await as[role].execute(statement).then(
        () => "done",
        (error: unknown) => String((error as { cause?: Error }).cause?.message ?? error),
      );
    const copy = (state: string) =>
      `insert into treasury_withdrawals select (jsonb_populate_record(t, '{"id": "tw_x", "state": "${state}"}')).* from treasury_withdrawals t limit 1`;
    const row = `where id = '${proposed.id}'`;
    for (const [role, statement, reason] of [
      ["web", copy("owed"), /begins as a proposal/],
      ["worker", copy("proposed"), /permission denied/],
      ["web", `update treasury_withdrawals set amount_base = 1 ${row}`, /permission denied/],
      ["web", `update treasury_withdrawals set state = 'paid', tx_hash = '0x' ${row}`, /does not become paid/],
      [
        "web",
        `update treasury_withdrawals set state = 'owed', decided_by = proposed_by, decided_at = now() ${row}`,
        /two people have not signed/,
      ],
      ["web", `select * from owe_treasury_withdrawal('tr_x', '${proposed.id}')`, /owes no payment/],
      ["worker", `select * from owe_treasury_withdrawal('tr_x', '${withdrawal.id}')`, /permission denied/],
      [
        "web",
        `update treasury_withdrawals set state = 'proposed' where id = '${withdrawal.id}'`,
        /does not become proposed|treasury_withdrawals_decided/,
      ],
      ["worker", `update transfers set call_sender = null where purpose = 'treasury_withdrawal'`, /is fixed/],
    ] as const)
      expect([statement, await tried(role, statement)]).toEqual([statement, expect.stringMatching(reason)]);
  });

  it("a database that was put back to before the payment pays nothing again", async () => {
    const worker = await setUp();
    const { withdrawal, transfer } = await approve();
    const backup: TestDatabase = await copyTestDatabase(bench);
    try {
      await bench.run(worker, [transfer.id]);
      expect([(await stored(withdrawal))?.state, await received()]).toEqual(["paid", 10n]);
      await backup.sql`update wallets set lease_owner = null, lease_until = null`;
      const signers = bench.signersOf({ db: backup.db, findUnowed: derive() });
      const again = bench.newWorker({ ctx: { ...bench.ctx, db: backup.db, signers } });
      for (let pass = 0; pass < 6; pass += 1) {
        await runTransfersOnce(again, chain.chain);
        await chain.mine();
      }
      expect(await received()).toBe(10n);
      expect(await halts(backup.db)).not.toEqual([]);
    } finally {
      await backup.close();
    }
  });
});

function doomed(step: TransferStep): TransferEngine {
  return newWorker({
    observe: (reached) => {
      if (reached === step) throw new Died(`died at ${step}`);
    },
  });
}
