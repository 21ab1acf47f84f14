import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { HOUR_SECONDS, type LimitTerms } from "#domain/exposure-limit.ts";
import { newId } from "#domain/ids.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner } from "#testing/factories.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
let partnerId: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  bench = await openTransferBench(chain);
  ({ partnerId } = await addPartner(bench.db));
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const BLANK: LimitTerms = {
  ...BLANK_LIMIT,
  kind: "velocity",
  mode: "enforce",
};
const LIMITS: Record<string, LimitTerms> = {
  "an allow-list of somebody else": { ...BLANK, kind: "allow_list", addresses: ["0x00000000000000000000000000000000000000aa"] },
  "a ceiling over everything": { ...BLANK, countedBy: "all", windowSeconds: HOUR_SECONDS, amountAtto: 10n ** 18n },
  "a wallet's ceiling": { ...BLANK, kind: "wallet", windowSeconds: HOUR_SECONDS, amountAtto: 10n ** 18n },
};

it.each(Object.entries(LIMITS))("a top-up is not signed past %s", async (_name, terms) => {
  await openLimits(bench, [{ ...terms, id: "the-limit" }], "for a test");
  const owed = await bench.enqueuePayment({
    purpose: "topup",
    ownerId: newId("topup", new Date()),
    partnerId,
    amountBase: 500_000_000_000n,
  });
  await bench.run(bench.newWorker(), [owed.id], 3);
  expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  expect((await bench.transfer(owed.id)).state).toBe("queued");
  expect((await listHoldsOf(bench.db, [owed.ownerId])).map(({ outcome }) => outcome)).toEqual(["open"]);
});

it.each(["topup", "return", "settlement"] as const)(
  "a %s that nothing is known of is not signed past a live service's defaults",
  async (purpose) => {
    await openLimits(bench);
    const owed = await bench.enqueuePayment({ purpose, ownerId: newId("withdrawal", new Date()), partnerId, amountBase: 1n });
    await bench.run(bench.newWorker(), [owed.id], 3);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
    expect((await bench.transfer(owed.id)).state).toBe("queued");
    expect((await listHoldsOf(bench.db, [owed.ownerId])).map(({ outcome }) => outcome)).toEqual(["open"]);
  },
);

it("what leaves one hot wallet within an hour stays below its amount, whatever it is paid for", async () => {
  await openLimits(
    bench,
    [{ ...BLANK, kind: "wallet", windowSeconds: HOUR_SECONDS, amountAtto: 25n * 10n ** 18n, id: "the-limit" }],
    "for a test",
  );
  const all = [];
  for (const purpose of ["settlement", "topup", "return", "settlement", "topup", "return"] as const)
    all.push(await bench.enqueuePayment({ purpose, ownerId: newId("withdrawal", new Date()), partnerId, amountBase: 10_000_000n }));
  await bench.run(
    bench.newWorker(),
    all.map(({ id }) => id),
    3,
  );
  const received = await Promise.all(all.map(({ recipient }) => bench.tokenBalance(recipient)));
  expect(received.reduce((sum, each) => sum + each, 0n)).toBe(20_000_000n);
});
