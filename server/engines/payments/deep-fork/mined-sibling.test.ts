import { afterAll, beforeAll, expect, it } from "vitest";
import { listHistory } from "#db/queries/settlements/settlement-story.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { findTransaction } from "#db/queries/transfers/transactions.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { bumpTransfer } from "#server/services/treasury/bump-transfer.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
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

it("takes over the hash of another attempt that pays after a deep reorg: paid once, booked once, and the audit is clean", async () => {
  const worker = stage.newTransfers();
  const [partner] = stage.partners;
  if (partner === undefined) throw new Error("the stage has no partner");
  const pass = async (times: number) => {
    for (let round = 0; round < times; round += 1) {
      await runTransfersOnce(worker, chain.chain);
      await chain.mine();
    }
  };
  const transfer = async () => {
    const found = await findTransferOf(stage.db, "settlement", id);
    if (found === null) throw new Error("nothing is owed");
    return found;
  };
  await pass(2);
  const snapshot = await chain.call("evm_snapshot");
  const recipient = newAddress();
  const { id } = await stage.quote(partner, { amountMinor: 100_000n, wallet: recipient });
  await stage.confirm(partner, id);
  await runTransfersOnce(worker, chain.chain);
  await bumpTransfer(stage.ctx, { ...order, transferId: (await transfer()).id });
  await pass(14);
  const before = await transfer();
  const attempts = (await findTransaction(stage.db, before.id))?.attempts ?? [];
  expect(attempts.map(({ kind }) => kind)).toEqual(["payment", "payment"]);
  expect(before).toMatchObject({ state: "executed", txHash: attempts[1]?.hash });

  await chain.call("evm_revert", snapshot);
  expect(await stage.tokenBalance(recipient)).toBe(0n);
  await chain.call("eth_sendRawTransaction", attempts[0]?.rawBytes);
  await chain.mine();
  await pass(20);
  const after = await transfer();
  expect(after).toMatchObject({ state: "executed", txHash: attempts[0]?.hash, waitingReason: null });
  expect(await findSettlement(stage.db, id)).toMatchObject({ status: "executed", txHash: attempts[0]?.hash });
  expect(await stage.tokenBalance(recipient)).toBe(after.amountBase);
  expect((await listHistory(stage.db, [id])).at(-1)).toMatchObject({
    action: "transfer.restored",
    reason: expect.stringContaining(before.txHash ?? ""),
  });
  const { rules } = await auditDatabase({ db: stage.db });
  expect(rules.flatMap(({ rule, violations }) => violations.map(({ detail }) => `${rule}: ${detail}`))).toEqual([]);
  const fees = await stage.sql`select hash, sum(fee_base)::text as cost from network_fees group by hash having sum(fee_base) <> 0`;
  expect(fees.map(({ hash }) => hash)).toEqual([attempts[0]?.hash]);
});
