import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { isChainHalted } from "#db/queries/transfers/chain-halt.ts";
import { haltScope, listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, setClockOffset } from "#testing/factories.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { keepTreasuryOpen } from "./open-treasury.ts";
import { reconcile } from "./reconcile.ts";

const DAY_MS = 86_400_000;
const order = {
  by: { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null },
  reason: "looked into",
};
let chain: TestChain;
let bench: TransferBench;
let day: number;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  day = 0;
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  await addPartner(bench.db);
  await bench.run(bench.newWorker(), [], 1); // the worker registers its wallets
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

/** Somebody with the wallet's key moves this much USDT. The wallet's coin is restored, so that there is only one case. */
async function move(units: bigint, from = bench.addresses[0] ?? "", to: string = newAddress()): Promise<void> {
  await chain.call("anvil_impersonateAccount", from);
  const data = `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, "0")}${(units * 1_000_000n).toString(16).padStart(64, "0")}`;
  await chain.call("eth_sendTransaction", { from, to: chain.tokens.USDT, data });
  await chain.mine(4);
  await setCoins(100n * 10n ** 18n);
}

async function setCoins(wei: bigint): Promise<void> {
  await chain.call("anvil_setBalance", bench.addresses[0], `0x${wei.toString(16)}`);
  await chain.mine(4);
}

/** What the day's run finds, and whether the chain is halted after it; then two people lift what it has halted. */
async function reconcileNextDay() {
  day += 1;
  await setClockOffset(bench.db, day * DAY_MS);
  const findings = (await reconcile(bench.ctx))?.findings ?? [];
  const isHalted = await isChainHalted(bench.db, chain.chain);
  const halts = await listOpenHalts(bench.ctx);
  for (const { id } of halts) await liftHalt({ ...bench.ctx, mode: "sandbox" }, { ...order, haltId: id });
  return { findings: findings.map(({ subject, halted }) => `${subject.split(" ")[1]} ${halted}`), isHalted, detail: halts[0]?.detail };
}
const HALTED = { isHalted: true, findings: ["USDT true"] };
const GOES_ON = { isHalted: false, findings: ["USDT false"] };

it("a loss that grew halts the chain again, and the halt says what was missing before", async () => {
  await move(5n);
  expect(await reconcileNextDay()).toMatchObject(HALTED);
  await move(500_000n);
  expect(await reconcileNextDay()).toMatchObject({
    ...HALTED,
    detail: expect.stringMatching(/500005 USDT is missing at height \d+.*20\d\d-\d\d-\d\d.*5 USDT is missing/),
  });
  expect(await reconcileNextDay()).toMatchObject(GOES_ON);
});

it("growth is judged to the last base unit, of the chain's coin as well, which somebody spends manually", async () => {
  const full = 100n * 10n ** 18n;
  await setCoins(full - 1_000n);
  expect(await reconcileNextDay()).toMatchObject({ isHalted: true, findings: ["ETH true"] });
  expect(await reconcileNextDay()).toMatchObject({ isHalted: false, findings: ["ETH false"] });
  await setCoins(full - 1_001n);
  expect(await reconcileNextDay()).toMatchObject({ isHalted: true, findings: ["ETH true"] });
});

it("a loss that shrank halts nothing; from there it grows, and so does one that had ended", async () => {
  const [thief, treasury] = [newAddress(), bench.addresses[0] ?? ""];
  await chain.fund(thief, { ether: 1, tokens: 0 });
  await move(5n, treasury, thief);
  expect(await reconcileNextDay()).toMatchObject(HALTED);
  await move(3n, thief, treasury);
  expect(await reconcileNextDay()).toMatchObject(GOES_ON);
  await move(1n);
  expect(await reconcileNextDay()).toMatchObject(HALTED);
  await move(2n, thief, treasury);
  await chain.fund(thief, { ether: 1, tokens: 1 });
  await move(1n, thief, treasury);
  expect(await reconcileNextDay()).toMatchObject({ isHalted: false, findings: [] });
  await move(1n);
  expect(await reconcileNextDay()).toMatchObject(HALTED);
});

it("a day on which no node answered is no day without a loss", async () => {
  await move(5n);
  expect(await reconcileNextDay()).toMatchObject(HALTED);
  const { list } = bench.ctx.evm;
  bench.ctx.evm.list = () => list().map((one) => ({ ...one, nodes: [] }));
  expect(await reconcileNextDay()).toMatchObject({ isHalted: false });
  bench.ctx.evm.list = list;
  expect(await reconcileNextDay()).toMatchObject(GOES_ON);
});

it("what is found while the chain is halted for something else halts it once that halt is lifted", async () => {
  await bench.db.transaction((tx) =>
    haltScope(tx, { scope: { kind: "chain", key: chain.chain }, cause: "operator", detail: "maintenance" }),
  );
  await move(5n);
  expect(await reconcileNextDay()).toMatchObject({ ...GOES_ON, isHalted: true, detail: "maintenance" });
  expect(await reconcileNextDay()).toMatchObject(HALTED);
  expect(await reconcileNextDay()).toMatchObject(GOES_ON);
});
