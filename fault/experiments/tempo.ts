import { openDatabase } from "#db/client.ts";
import type { Transfer } from "#domain/transfer.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { must, type Outcome, rule } from "#fault/outcome.ts";
import { LAPSING_STEPS, type LapsingStep } from "#server/engines/lapsing/engine.ts";
import { Died } from "#testing/death.ts";
import { openTempoBench, startTempo, type Tempo, type TempoBench } from "#testing/tempo.ts";

const DOOMED_PASSES = 8;
const LIVING_PASSES = 400;
/** Payments that come due between two deaths. */
const AT_ONCE = 10;
/** Nothing is screened here. */
const STEPS = LAPSING_STEPS.filter((step) => step !== "held");

/** Payments that lapse, on a network of Tempo: the engine runs in one process, which dies at a named step. */
export const tempo: Experiment = {
  name: "tempo",
  breaks:
    "A worker that pays on a local network of Tempo dies at a step of the engine, another one goes on and dies at another step, and the node forgets what waits there until it has expired",
  judged:
    "each payment is made once, under the id and the memo of its settlement, its owner hears of it once, and the ledger has what the network took; every step was reached",
  async run(scene) {
    return await scene.server.withDatabase(async ({ url }) => {
      const network = await startTempo();
      const { db, sql, close } = openDatabase({ url, applicationName: "tempo", maxConnections: 4 });
      try {
        const bench = await openTempoBench(network, { fund: 10n ** 12n, database: { db, sql } });
        return await payThroughDeaths(scene, network, bench);
      } finally {
        await close();
        await network.stop();
      }
    });
  },
};

async function payThroughDeaths(scene: Scene, network: Tempo, bench: TempoBench) {
  const payments = scene.pick(1_000, 40);
  const { random } = scene;
  const before = await heldBy(network, bench);
  const owed: Transfer[] = [];
  const met = new Set<string>();
  let [deaths, forgotten] = [0, 0];
  for (let round = 0; owed.length < payments || met.size < STEPS.length; round += 1) {
    if (round > payments) break;
    if (round % 20 === 0) scene.say(`${owed.length} of ${payments} payments, ${deaths} deaths`);
    while (owed.length < Math.min(payments, (round + 1) * AT_ONCE)) owed.push(await bench.enqueue());
    const step = STEPS[round % STEPS.length] ?? "sent";
    const isForgotten = step === "lapsed" || random.chance(0.15);
    // Once a pass, for all of them.
    const nth = step === "claimed" ? 1 : 1 + random.below(3);
    const seen = await runToDeath(network, bench, { step, nth, isForgotten });
    if (seen) deaths += 1;
    if (seen) met.add(step);
    if (isForgotten) forgotten += 1;
    await bench.letLeasesLapse();
  }
  const ends = await bench.run(
    bench.newWorker(),
    owed.map(({ id }) => id),
    LIVING_PASSES,
  );
  const [lapsed] = await bench.sql`select count(*)::int as count from lapsing_attempts where state = 'lapsed'`;
  const own = [
    rule("every_step_covered", "a worker died at every step", STEPS, (step) => (met.has(step) ? [] : [`no worker died at ${step}`])),
    ...(await judgePayments(network, bench, ends)),
    ...(await judgeBooks(network, bench, ends, before)),
  ];
  const counts = `${payments} payments, ${deaths} deaths, ${forgotten} times forgotten until expired, ${lapsed?.count} attempts lapsed`;
  return { counts, facts: { ...NOTHING, interruptions: deaths, own } };
}

/** A separate process, until it dies at the step. `isForgotten`: what it sent first is lost, and expires. False: it never reached the step. */
async function runToDeath(
  network: Tempo,
  bench: TempoBench,
  { step, nth, isForgotten }: { step: LapsingStep; nth: number; isForgotten: boolean },
): Promise<boolean> {
  let seen = 0;
  if (isForgotten) {
    await bench.pass(bench.newWorker());
    await network.call("anvil_dropAllTransactions");
    await network.passWindow();
  }
  const worker = bench.newWorker({
    observe: (reached) => {
      if (reached === step && ++seen >= nth) throw new Died(`died at ${step}`);
    },
  });
  for (let pass = 0; pass < DOOMED_PASSES; pass += 1) {
    try {
      await bench.pass(worker);
    } catch (error) {
      if (error instanceof Died) return true;
      throw error;
    }
    await network.mine();
  }
  return false;
}

async function heldBy({ balanceOf }: Tempo, { wallet, feeToken, paidToken }: TempoBench) {
  return { fees: await balanceOf(feeToken, wallet), paid: await balanceOf(paidToken, wallet) };
}

async function judgePayments(network: Tempo, bench: TempoBench, ends: readonly Transfer[]): Promise<Outcome[]> {
  const found = await Promise.all(
    ends.map(async (transfer) => {
      const { id, recipient } = transfer;
      const [got, memos, attempts, heard] = await Promise.all([
        network.balanceOf(bench.paidToken, recipient),
        network.memosTo(bench.paidToken, recipient),
        bench.attempts(id),
        bench.finals(id),
      ]);
      return { transfer, got, memos, heard, paid: attempts.filter(({ state }) => state === "paid").map((row) => String(row.id)) };
    }),
  );
  return [
    rule("paid_once", "each payment is executed, and its recipient has just that", found, ({ transfer: { id, state, amountBase }, got }) =>
      state === "executed" && got === amountBase ? [] : [`${id} is ${state}, and its recipient has ${got} of ${amountBase}`],
    ),
    rule("memo", "its settlement's id is the memo of one event", found, ({ transfer: { id, ownerId }, memos }) =>
      memos.length === 1 && memos[0] === ownerId ? [] : [`${id} has the memos ${memos.join(", ")}`],
    ),
    rule("one_attempt", "one of its attempts is paid, under the reported id", found, ({ transfer: { id, txHash }, paid }) =>
      paid.length === 1 && paid[0] === txHash ? [] : [`${id} was executed by ${txHash}, and ${paid.join(", ")} are paid`],
    ),
    rule("heard_once", "its owner hears of the end once", found, ({ transfer: { id }, heard }) =>
      heard === 1 ? [] : [`${id}: ${heard} times`],
    ),
  ];
}

async function judgeBooks(
  network: Tempo,
  bench: TempoBench,
  ends: readonly Transfer[],
  before: { fees: bigint; paid: bigint },
): Promise<Outcome[]> {
  const after = await heldBy(network, bench);
  const owed = ends.reduce((sum, { amountBase }) => sum + amountBase, 0n);
  const booked = (await bench.feesBooked()).map(({ currency, base }) => `${base} ${currency}`).join(", ");
  const taken = `${before.fees - after.fees} PATHUSD`;
  const left = before.paid - after.paid;
  return [
    must("treasury", "the wallet paid what was owed, to the base unit", left === owed, `${left} left the wallet, and ${owed} was owed`),
    must(
      "fees",
      "the ledger has the fees that the network took, to the base unit",
      booked === taken,
      `${taken} was taken, and ${booked} is booked`,
    ),
  ];
}
