import { afterAll, beforeAll, expect, it } from "vitest";
import { findTopup } from "#db/queries/fiat/topups.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { listHistory } from "#db/queries/settlements/settlement-story.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { bumpTransfer } from "#server/services/treasury/bump-transfer.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import type { TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";

const order = {
  by: { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null },
  reason: "because of a test",
};

let chain: TestChain;
let stage: MoneyStage;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  stage = await openMoneyStage(chain, { partners: 1 });
});
afterAll(async () => {
  await stage.close();
  await chain.stop();
});

/** What a transfer pays for, up to the moment at which the transfer is queued. */
const OWED = {
  settlement: async (partner: TestPartner, wallet: string) => {
    const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet });
    await stage.confirm(partner, id);
    return id;
  },
  topup: (partner: TestPartner, wallet: string) => stage.topUp(partner, { amountMinor: 100_000n, wallet }),
  sweep: (partner: TestPartner) => stage.withdraw(partner, { amountMinor: 100_000n }),
};
const HASH_OF = {
  settlement: async (id: string) => (await findSettlement(stage.db, id))?.txHash,
  topup: async (id: string) => (await findTopup(stage.db, id))?.txHash,
  sweep: async (id: string) => (await findWithdrawal(stage.db, id))?.txHash,
};

it.each(["settlement", "topup", "sweep"] as const)(
  "takes over the hash of another attempt that pays a %s after a deep reorg: paid once, booked once, and the audit is clean",
  async (purpose) => {
    await stage.letLeasesLapse();
    const worker = stage.newTransfers();
    const orders = stage.newOrders();
    const [partner] = stage.partners;
    if (partner === undefined) throw new Error("the stage has no partner");
    const pass = async (times: number) => {
      for (let round = 0; round < times; round += 1) {
        await runTransfersOnce(worker, chain.chain);
        await chain.mine();
      }
    };
    await pass(2);
    const recipient = newAddress();
    const id = await OWED[purpose](partner, recipient);
    const find = () => findTransferOf(stage.db, purpose, id);
    for (let round = 0; round < 10 && (await find()) === null; round += 1) {
      await orders();
      await stage.passTime();
    }
    const transfer = async () => {
      const found = await find();
      if (found === null) throw new Error("nothing is owed");
      return found;
    };
    const balance = async () => await stage.tokenBalance((await transfer()).recipient);
    const [snapshot, unpaid] = [await chain.call("evm_snapshot"), await balance()];
    await runTransfersOnce(worker, chain.chain);
    await bumpTransfer(stage.ctx, { ...order, transferId: (await transfer()).id });
    await pass(14);
    const before = await transfer();
    const { attempts } = await stage.transaction(before.id);
    expect(attempts.map(({ kind }) => kind)).toEqual(["payment", "payment"]);
    expect(before).toMatchObject({ state: "executed", txHash: attempts[1]?.hash });

    await chain.call("evm_revert", snapshot);
    expect(await balance()).toBe(unpaid);
    await chain.call("eth_sendRawTransaction", attempts[0]?.rawBytes);
    await chain.mine();
    await pass(20);
    const after = await transfer();
    expect(after).toMatchObject({ state: "executed", txHash: attempts[0]?.hash, waitingReason: null });
    expect(await HASH_OF[purpose](id)).toBe(attempts[0]?.hash);
    expect(await balance()).toBe(unpaid + after.amountBase);
    expect((await listHistory(stage.db, [id])).map(({ action, reason }) => [action, reason])).toContainEqual([
      "transfer.restored",
      expect.stringContaining(before.txHash ?? ""),
    ]);
    const { rules } = await auditDatabase({ db: stage.db });
    expect(rules.flatMap(({ rule, violations }) => violations.map(({ detail }) => `${rule}: ${detail}`))).toEqual([]);
    const fees = await stage.sql`select hash from network_fees where transfer_id = ${after.id} group by hash having sum(fee_base) <> 0`;
    expect(fees.map(({ hash }) => hash)).toEqual([attempts[0]?.hash]);
  },
);
