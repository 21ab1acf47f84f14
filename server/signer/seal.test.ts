import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { readOrMakeSealKey } from "#server/adapters/journal/seal-key.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { openSeal } from "./seal.ts";

/** The file of the seal's key, next to the signing journal: without the right one nothing is opened, and a person is called. */

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const file = () => `${bench.journal.path}.seal`;
/** A worker whose signer has just started: it reads the file. */
const worker = (observe: (step: string) => void = () => {}) => {
  const seal = openSeal(() => readOrMakeSealKey(bench.journal.path));
  return bench.newWorker({ ctx: { ...bench.ctx, signers: bench.signersOf({ seal }) }, observe });
};
const haltsNow = async () => (await listOpenHalts(bench.ctx)).map(({ scope, cause, detail }) => [scope.kind, cause, detail]);

const damages: [string, string, string, () => void][] = [
  ["is lost", "journal_contradiction", "The signer's seal does not open the stored bytes", () => rmSync(file())],
  [
    "is of another installation",
    "journal_contradiction",
    "The signer's seal does not open the stored bytes",
    () => writeFileSync(file(), `${randomBytes(32).toString("hex")}\n`),
  ],
  ["was cut off", "journal_unusable", "holds no key of a seal", () => writeFileSync(file(), readFileSync(file(), "utf8").slice(0, 20))],
];

it.each(damages)("that %s halts its chain with a sentence, and all is paid once when it is back", async (_, cause, sentence, damage) => {
  bench = await openTransferBench(chain);
  await runTransfersOnce(worker(), chain.chain);
  await bench.letLeasesLapse();
  const owed = await bench.enqueuePayment();
  const doomed = worker((step) => {
    if (step === "stored") throw new Died(step);
  });
  await expect(bench.run(doomed, [owed.id], 3)).rejects.toThrow(Died);
  await bench.letLeasesLapse();
  const kept = readFileSync(file(), "utf8");
  damage();
  await bench.run(worker(), [owed.id], 3);
  expect(await haltsNow()).toEqual([["chain", cause, expect.stringContaining(sentence)]]);
  expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
  expect(await bench.ctx.signers.readJournal(chain.chain)).toMatchObject({ marks: [] });
  writeFileSync(file(), kept);
  await bench.sql`update lane_halts set lifted_at = now(), lifted_by = 'ana', lift_reason = 'the file is back'`;
  await bench.letLeasesLapse();
  await bench.run(worker(), [owed.id]);
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  expect((await bench.transaction(owed.id)).attempts).toHaveLength(1);
});
