import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";
import { planSweep } from "./plan-sweep.ts";

/** The worker's log-in may add a row to `wallets`. That makes no address a wallet of the treasury: only a key in the signer does. */

let chain: TestChain;
let stage: MoneyStage;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

it("a sweep to a wallet that only a row calls the treasury's is never signed, and says why; one to a key's own wallet is", async () => {
  stage = await openMoneyStage(chain, { partners: 1 });
  const [partner] = stage.partners;
  if (partner === undefined) throw new Error("the stage has no partner");
  const [forged, honest] = [
    await stage.withdraw(partner, { amountMinor: 100_000n }),
    await stage.withdraw(partner, { amountMinor: 100_000n }),
  ];
  const thief = newAddress();
  const worker = processOf(stage.db, "worker");
  await worker.execute(sql`insert into wallets (id, chain, address, fencing_token, created_at)
    values (gen_random_uuid(), ${chain.chain}, ${thief}, 0, now())`);
  const withdrawal = await findWithdrawal(stage.db, forged);
  if (withdrawal === null) throw new Error("there is no withdrawal");
  const { safeAddress, tokenAddress, sourceAmountBase: amountBase } = withdrawal;
  const call = await planSweep(stage.powers, { chain: chain.chain, safeAddress, tokenAddress, amountBase, recipient: thief });
  await worker.execute(
    sql`update withdrawals set treasury_address = ${thief}, step = 'sweeping', status = 'processing', due_at = null where id = ${forged}`,
  );
  const wanted = JSON.stringify({ to: call.to, value: String(call.valueBase), data: call.data, sender: call.sender });
  await worker.execute(
    sql`select * from owe_call(${newId("transfer", new Date())}, 'sweep', ${forged}, ${partner.partnerId}, ${wanted}::jsonb)`,
  );
  const runOrders = stage.newOrders();
  const of = (id: string) => findTransferOf(stage.db, "sweep", id);
  for (let pass = 0; pass < 5 && (await of(honest)) === null; pass += 1) await runOrders();
  await stage.run(stage.newTransfers(), [(await of(honest))?.id ?? ""], 12);
  expect([await stage.tokenBalance(thief), (await of(honest))?.state]).toEqual([0n, "executed"]);
  expect(await of(forged)).toMatchObject({
    state: "queued",
    recipient: thief,
    waitingReason: expect.stringContaining(`No key of ${thief} is here`),
  });
  expect(await listOpenHalts(stage.ctx)).toEqual([]);
});
