import type { Patch } from "./seam.ts";

/** One mend of the service's own code. Taken out, the simulation must find the defect that it mended. */
export type Mutant = { name: string; family: "payments" | "callbacks" | "settlements"; defect: string; patches: readonly Patch[] };

const PAYMENTS = "server/engines/payments";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "count-ahead",
    family: "payments",
    defect: "One count of a node that is too high is believed, and the wallet stands for ever",
    patches: [{ file: `${PAYMENTS}/claiming/align-nonce.ts`, is: `else if (isCertain(pass, row.id, "ahead", lowest)) {`, was: "else {" }],
  },
  {
    name: "first-count",
    family: "payments",
    defect: "A new wallet begins where one answer t that it stands, and leaves a hole below",
    patches: [
      {
        file: `${PAYMENTS}/claiming/align-nonce.ts`,
        is: `if (count > 0 && !isCertain(pass, row.id, "first", count)) return null;`,
        was: "",
      },
    ],
  },
  {
    name: "short-lease",
    family: "payments",
    defect: "A killed worker stops payments for as long as its lease: half a minute",
    patches: [{ file: `${PAYMENTS}/engine.ts`, is: "leaseSeconds: 2,", was: "leaseSeconds: 30," }],
  },
  {
    name: "deep-fork",
    family: "payments",
    defect: "What a fork deeper than the confirmations took back is never sent again",
    patches: [{ file: `${PAYMENTS}/following/follow-chain.ts`, is: "await setExecutedOrphaned(tx, chain.chain, lowest);", was: "" }],
  },
  {
    name: "fork",
    family: "payments",
    defect: "What a fork took back is held for mined all the same (three lines of defence hold each other's place)",
    patches: [
      { file: `${PAYMENTS}/following/follow-chain.ts`, is: `.filter(({ state }) => state === "mined");`, was: ".filter(() => false);" },
      { file: `${PAYMENTS}/following/settle-final.ts`, is: `return { transfer, action: { type: "reorganise" } };`, was: "return null;" },
      { file: `${PAYMENTS}/claiming/align-nonce.ts`, is: "const RESENT_AT_ONCE = 256;", was: "const RESENT_AT_ONCE = 0;" },
    ],
  },
  {
    name: "depth",
    family: "payments",
    defect: "A payment is told as executed in its first block",
    patches: [
      { file: `${PAYMENTS}/following/settle-final.ts`, is: "return cursorHeight - chain.confirmations + 1;", was: "return cursorHeight;" },
    ],
  },
  {
    name: "sign-once",
    family: "payments",
    defect: "Bytes are signed again each time that they are sent",
    patches: [
      {
        file: `${PAYMENTS}/sending/process-open.ts`,
        is: "{ attempt, transfer }: Sending",
        was: "{ attempt, transfer, transaction }: Sending",
      },
      {
        file: `${PAYMENTS}/sending/process-open.ts`,
        is: "await node.send(attempt.rawBytes);",
        was: `const [signer] = engine.ctx.signers.of(transfer.chain);
          await node.send(await signer.signTransaction({ ...attempt, ...transaction.intent, nonce: transaction.nonce }));`,
      },
    ],
  },
  {
    name: "store-first",
    family: "payments",
    defect: "Signed bytes go out before they are stored",
    patches: [
      {
        file: `${PAYMENTS}/signing/make-transactions.ts`,
        is: "const { stored, held } = made.length === 0",
        was: `for (const { attempt } of made) await pass.node.send(attempt.rawBytes).catch(() => {});
          const { stored, held } = made.length === 0`,
      },
    ],
  },
  {
    name: "second-nonce",
    family: "payments",
    defect: "What a fork took back is given another nonce while the first may still be mined",
    patches: [
      {
        file: `${PAYMENTS}/following/follow-chain.ts`,
        is: `mined.map((transfer) => advanceTransfer(transfer, { type: "reorganise" }, now));`,
        was: `mined.map((transfer) => advanceTransfer(transfer, { type: "retry", reason: "It is gone." }, now));
    for (const { id } of gone) await supersedeTransaction(tx, id, now);`,
      },
      {
        file: `${PAYMENTS}/following/follow-chain.ts`,
        is: `import { recordInHistory } from "./record-in-history.ts";`,
        was: `import { recordInHistory } from "./record-in-history.ts";
import { supersedeTransaction } from "#db/queries/transfers/superseded-transactions.ts";`,
      },
    ],
  },
  {
    name: "spent-count",
    family: "payments",
    defect: "Two wrong counts of the only node halt a wallet for a nonce that nobody has spent",
    patches: [
      {
        file: `${PAYMENTS}/claiming/judge-spent-nonce.ts`,
        is: "return (await pass.node.nonce(walletAddress, since)) > nonce ? { certain: true, since } : again;",
        was: "return { certain: true, since };",
      },
    ],
  },
  {
    name: "places-tended",
    family: "payments",
    defect: "A reverted payment that a deep fork has dropped leaves a nonce that nobody fills, and the wallet stands for ever",
    patches: [{ file: `${PAYMENTS}/run-transfers.ts`, is: "await processOrphanedNonces(pass, holding.wallets);", was: "" }],
  },
  {
    name: "places-noted",
    family: "payments",
    defect: "What a deep fork takes back of what was in vain is not noted, and is missed only by the gap that it leaves",
    patches: [{ file: `${PAYMENTS}/following/follow-chain.ts`, is: "await setNoncesOrphaned(tx, chain, height, now);", was: "" }],
  },
  {
    name: "cost-again",
    family: "payments",
    defect: "What a payment costs that is mined again after a deep fork is never booked: the books keep what it had cost before",
    patches: [
      {
        file: `${PAYMENTS}/deep-fork/process-orphaned.ts`,
        is: "await correctNetworkFee(tx, pass.chain, { transferId: transfer.id, receipt }, now);",
        was: "",
      },
    ],
  },
  {
    name: "cost-in-vain",
    family: "payments",
    defect: "What a nonce had cost in a block that a deep fork took back stays booked beside what it cost since",
    patches: [
      {
        file: `${PAYMENTS}/following/end-transaction.ts`,
        is: "await takeBackNetworkFees(tx, chain, { transferId: transfer.id, hashes: gone, blockNumber }, now);",
        was: "",
      },
    ],
  },
  {
    name: "paid-in-vain",
    family: "payments",
    defect: "What a fork lets through although it had been in vain stops nothing, and nobody is told",
    patches: [{ file: `${PAYMENTS}/following/end-transaction.ts`, is: "if (!isQueued || !isPaid) {", was: "if (!isPaid) {" }],
  },
  {
    name: "wake-kept",
    family: "payments",
    defect: "A wake that comes in the middle of a pass is forgotten",
    patches: [{ file: "server/worker/loop.ts", is: "else this.#rung = true;", was: "" }],
  },
  {
    name: "wake-lost",
    family: "payments",
    defect: "A wake that is lost on its way is never made up for",
    patches: [
      { file: "server/worker/loop.ts", is: "await alarm.wait(duty.everyMs);", was: "await alarm.wait(duty.channel ? 1e9 : duty.everyMs);" },
    ],
  },
  {
    name: "one-look",
    family: "payments",
    defect: "Each wake begins a series of looks of its own, until passes run without a pause",
    patches: [{ file: `${PAYMENTS}/duties.ts`, is: "clearTimeout(nextLook);", was: "" }],
  },
  {
    name: "six-attempts",
    family: "callbacks",
    defect: "A callback is given up after five attempts",
    patches: [{ file: "domain/callback.ts", is: "[60, 300, 1_800, 7_200, 43_200]", was: "[60, 300, 1_800, 7_200]" }],
  },
  {
    name: "leases-renewed",
    family: "callbacks",
    defect: "An attempt that takes longer than its lease is begun by another worker as well",
    patches: [
      {
        file: "server/engines/held-leases.ts",
        is: "this.#renewal ??= setInterval(",
        was: "this.#renewal ??= ((run, _ms) => setTimeout(run, 1e9))(",
      },
    ],
  },
  {
    name: "ends-kept",
    family: "callbacks",
    defect: "How an attempt ended is forgotten while the database is away",
    patches: [
      {
        file: "server/engines/callbacks/settle-queue.ts",
        is: "this.#waiting = [...this.#waiting.slice(batch.length), ...again];",
        was: "this.#waiting = this.#waiting.slice(batch.length);",
      },
    ],
  },
  {
    name: "quote-runs-out",
    family: "settlements",
    defect: "A quote is taken after it has run out",
    patches: [{ file: "domain/lifecycle.ts", is: `if (action === "confirm") refuseExpired(settlement, now);`, was: "" }],
  },
  {
    name: "one-answer",
    family: "settlements",
    defect: "A confirmation beside a cancellation wins as well",
    patches: [{ file: "domain/lifecycle.ts", is: "if (settlement.status !== row.from) throw wrongState(settlement);", was: "" }],
  },
  {
    name: "same-reference",
    family: "settlements",
    defect: "A repeated confirmation answers yes under another reference",
    patches: [
      {
        file: "server/services/settlements/confirm-settlement.ts",
        is: "    refuseOtherValues(settlement, command.externalTxId, callbackUrl);\n",
        was: "",
      },
    ],
  },
];

export function patchesOf(name: string): readonly Patch[] {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mend ${name}: choose from ${MUTANTS.map((one) => one.name).join(", ")}.`);
  return mutant.patches;
}
