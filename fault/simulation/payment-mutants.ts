import type { Mutant } from "./seam.ts";

const PAYMENTS = "server/engines/payments";

/** The fixes of the payments engine that can be taken out. */
export const PAYMENT_MUTANTS: readonly Omit<Mutant, "family">[] = [
  {
    name: "count-ahead",
    from: 35,
    defect: "One nonce count that is too high is believed, and the wallet is stuck for ever",
    seed: "early-4",
    patches: [
      {
        file: `${PAYMENTS}/claiming/align-nonce.ts`,
        is: `const repeated = isAhead ? nonces.repeated(row.id, { what: "ahead", count: lowest }, momentOf(pass)) : null;`,
        was: "const repeated = isAhead ? lowest : null;",
      },
    ],
  },
  {
    name: "first-count",
    from: 46,
    defect: "A new wallet begins at the nonce of a single answer, and leaves a gap below it",
    seed: "early-7",
    patches: [
      {
        file: `${PAYMENTS}/claiming/align-nonce.ts`,
        is: "if (count > 0 && nonces.repeated(",
        was: "if (false && nonces.repeated(",
      },
    ],
  },
  {
    name: "refused-once",
    defect: "One wrong refusal of a single node fails a guaranteed payment",
    patches: [{ file: `${PAYMENTS}/signing/judge-transfer.ts`, is: "if (!isCertain) return", was: "if (false) return" }],
  },
  {
    name: "sibling",
    seed: "sibling-g",
    from: 3_698,
    defect: "After a deep reorg another attempt pays under the same nonce, and the payment keeps the hash that is gone",
    patches: [
      { file: `${PAYMENTS}/deep-fork/process-orphaned.ts`, is: "isOwn ? await findReceipt(pass.node, transaction) : null", was: "null" },
    ],
  },
  {
    name: "unpaid",
    from: 684,
    seed: "early-0",
    defect: "A payment that was reported as made reverts after a deep reorg, and nobody has to look",
    patches: [
      { file: `${PAYMENTS}/deep-fork/process-orphaned.ts`, is: "return await haltForUnpaid(pass, transaction, receipt);", was: "return;" },
    ],
  },
  {
    name: "short-lease",
    defect: "A killed worker stops payments for as long as its lease: half a minute",
    seed: "early-0",
    patches: [{ file: `${PAYMENTS}/engine.ts`, is: "leaseSeconds: 2,", was: "leaseSeconds: 30," }],
  },
  {
    name: "deep-fork",
    defect: "A payment that a deep reorg took back is never sent again",
    seed: "early-6",
    patches: [{ file: `${PAYMENTS}/following/follow-chain.ts`, is: "await setExecutedOrphaned(tx, chain.chain, lowest);", was: "" }],
  },
  {
    name: "fork",
    defect: "A payment that a reorg took back still counts as mined (three lines of defence back each other up)",
    seed: "early-4",
    patches: [
      { file: `${PAYMENTS}/following/follow-chain.ts`, is: `.filter(({ state }) => state === "mined");`, was: ".filter(() => false);" },
      { file: `${PAYMENTS}/following/settle-final.ts`, is: `return { transfer, action: { type: "reorganise" } };`, was: "return null;" },
      { file: `${PAYMENTS}/claiming/align-nonce.ts`, is: "const RESENT_AT_ONCE = 256;", was: "const RESENT_AT_ONCE = 0;" },
    ],
  },
  {
    name: "depth",
    defect: "A payment is reported as executed in its first block",
    patches: [
      { file: `${PAYMENTS}/following/settle-final.ts`, is: "return cursorHeight - chain.confirmations + 1;", was: "return cursorHeight;" },
    ],
  },
  {
    name: "sign-once",
    defect: "The transaction is signed again each time it is sent",
    patches: [
      {
        file: `${PAYMENTS}/sending/send-bytes.ts`,
        is: "({ node }: Pass, { opened }: Admitted)",
        was: "({ node, chain, engine }: Pass, { opened: _, attempt, transaction }: Admitted)",
      },
      {
        file: `${PAYMENTS}/sending/send-bytes.ts`,
        is: "await node.send(opened);",
        was: `const { walletAddress: wallet, nonce, transfer } = transaction;
          const order = { of: { transferId: transfer.id }, kind: attempt.kind, nonce, gasLimit: attempt.gasLimit, fees: attempt };
          const [signed] = await engine.ctx.signers.sign({ chain: chain.chain, wallet, orders: [order] });
          const again = { ...attempt, hash: signed?.hash ?? attempt.hash };
          const admit = { transferId: transfer.id, entry: signedEntry(transaction, again), bytes: signed?.bytes ?? attempt.rawBytes };
          const [admitted] = await engine.ctx.signers.admit(chain.chain, [{ ...admit, gasLimit: attempt.gasLimit, fees: attempt }]);
          await node.send(admitted.bytes);`,
      },
    ],
  },
  {
    name: "store-first",
    defect: "Signed bytes go out before they are stored",
    patches: [
      {
        file: `${PAYMENTS}/signing/make-transactions.ts`,
        is: "const { count, moved, held } = made.length === 0",
        was: `for (const [index, { attempt, transfer }] of made.entries()) {
            const place = { transfer, walletAddress: wallet.row.address, nonce: wallet.nextNonce + index };
            const entry = signedEntry(place as never, { ...attempt, signedAt: new Date(0) } as never);
            const order = { transferId: transfer.id, entry, bytes: attempt.rawBytes, gasLimit: attempt.gasLimit, fees: attempt };
            const [admitted] = await pass.engine.ctx.signers.admit(pass.chain.chain, [order]);
            if (admitted !== undefined && "bytes" in admitted) await pass.node.send(admitted.bytes).catch(() => {});
          }
          const { count, moved, held } = made.length === 0`,
      },
      {
        file: `${PAYMENTS}/signing/make-transactions.ts`,
        is: `import { isNotSigned,`,
        was: `import { signedEntry } from "#server/services/transfers/journal-entries.ts";
import { isNotSigned,`,
      },
    ],
  },
  {
    name: "second-nonce",
    defect: "A payment that a reorg took back gets another nonce while the first may still be mined",
    seed: "early-0",
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
    from: 248,
    seed: "spent-count-c",
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
    from: 299,
    defect: "A reverted payment that a deep reorg has dropped leaves an unused nonce, and the wallet is stuck for ever",
    seed: "early-3",
    patches: [{ file: `${PAYMENTS}/run-transfers.ts`, is: "await processOrphanedNonces(pass, holding.wallets);", was: "" }],
  },
  {
    name: "places-noted",
    from: 739,
    defect: "A superseded nonce that a deep reorg takes back is not recorded; only the gap that it leaves shows it",
    patches: [{ file: `${PAYMENTS}/following/follow-chain.ts`, is: "await setNoncesOrphaned(tx, chain, height, now);", was: "" }],
  },
  {
    name: "cost-again",
    from: 34,
    defect: "The fee of a payment that is mined again after a deep reorg is never booked: the books keep its earlier fee",
    patches: [
      {
        file: `${PAYMENTS}/deep-fork/process-orphaned.ts`,
        is: "await correctNetworkFee(tx, chain, { transferId: transfer.id, receipt }, now);",
        was: "",
      },
    ],
  },
  {
    name: "cost-in-vain",
    from: 76,
    defect: "The fee of a nonce in a block that a deep reorg took back stays booked next to its new fee",
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
    from: 1_154,
    defect: "A superseded payment that a reorg lets through halts nothing, and nobody is informed",
    patches: [{ file: `${PAYMENTS}/following/end-transaction.ts`, is: "if (!isQueued || !isPaid) {", was: "if (!isPaid) {" }],
  },
  {
    name: "wake-kept",
    seed: "wake-kept-a",
    from: 13_805,
    defect: "A wake that comes in the middle of a pass is forgotten",
    patches: [{ file: "server/worker/loop.ts", is: "else this.#rung = true;", was: "" }],
  },
  {
    name: "wake-lost",
    defect: "A lost wake is never made up for",
    patches: [
      { file: "server/worker/loop.ts", is: "await alarm.wait(duty.everyMs);", was: "await alarm.wait(duty.channel ? 1e9 : duty.everyMs);" },
    ],
  },
  {
    name: "one-look",
    from: 21,
    defect: "Each wake starts another series of reads, until passes run without a pause",
    patches: [{ file: `${PAYMENTS}/duties.ts`, is: "clearTimeout(nextLook);", was: "" }],
  },
];
