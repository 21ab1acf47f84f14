import type { HaltCause } from "#domain/halt-scope.ts";
import { membersIn, paidIn } from "./contents.ts";
import { isOurs } from "./nodes.ts";
import { type Forgery, isOwed } from "./orders.ts";
import type { PaymentWorld } from "./payments-world.ts";
import { APART, liftAll, WATCHED_MS } from "./put-back.ts";
import { type TransferRow, tables } from "./tables/rows.ts";

const SHARE = 0.12;
const LIFTED_EACH_MS = 4_000;
/** The second: it was forged after it was signed, and the signer's seal or journal shows that. */
const HALTS: readonly HaltCause[] = ["unowed_payment", "journal_contradiction"];
const THIEF = `0x${"f".repeat(40)}`;

/** Each may happen several times: a payment that nobody ordered, and another recipient or amount of one that is not signed yet. */
const FORGED: readonly ((world: PaymentWorld, row: TransferRow) => void)[] = [
  ({ history: { random } }, row) => {
    const id = `${row.id.slice(0, 4)}forged${random.below(1_000_000)}`;
    const transfer = { ...row.transfer, id, ownerId: `st_${id}`, recipient: THIEF, state: "queued" as const };
    write({ ...row, id, transfer, dueAt: 0, leaseUntil: null, leaseToken: null, restUntil: null, orphanedSince: null });
  },
  (_, row) => write({ ...row, transfer: { ...row.transfer, recipient: THIEF } }),
  (_, row) => write({ ...row, transfer: { ...row.transfer, amountBase: row.transfer.amountBase * 2n } }),
];

const write = (row: TransferRow) => void tables().transfers.rows.set(row.id, row);
const unsigned = () =>
  [...tables().transfers.rows.values()].filter(({ transfer: { state, purpose } }) => state === "queued" && purpose === "settlement");

/** In some hours somebody forges rows. Drawn apart, so that no other draw changes. */
export function planForgery(world: PaymentWorld, faultsMs: number): void {
  const { history, scheduler } = world;
  const random = history.random.fork("forged rows");
  if (world.fiat !== null || [...APART, "put back"].some((kind) => history.faults.has(kind)) || !random.chance(SHARE)) return;
  const isLifted = random.chance(0.5);
  for (let time = 1 + random.below(3); time > 0; time -= 1)
    scheduler.after(random.below(faultsMs), () => {
      const rows = unsigned();
      if (rows.length === 0) return;
      history.faults.add("forged rows");
      world.forgery = { isLifted };
      random.pick(FORGED)({ ...world, history: { ...history, random } }, random.pick(rows));
      history.trace?.("somebody forges a row");
    });
  if (!isLifted) return;
  for (let ms = LIFTED_EACH_MS; ms < WATCHED_MS; ms += LIFTED_EACH_MS)
    scheduler.after(faultsMs + ms, () => {
      if (world.forgery !== null) liftAll(world);
    });
}

/**
 * Whatever a row says, nobody gets anything but what was ordered, and that once. What nobody ordered waits, and the chain was halted for it. Once
 * the halts are lifted, all other payments are made.
 */
export function judgeForgery({ net, orders, violations }: PaymentWorld, { isLifted }: Forgery): void {
  const owed = [...orders.values()];
  const paid = net.chain.blocks.flatMap((block) =>
    block.signed.flatMap((one) => {
      if (!isOurs(net, one.sender) || block.failed.has(one.hash)) return [];
      const members = membersIn(one);
      const single = [{ recipient: "", amountBase: BigInt(`0x${one.data.slice(74) || "0"}`) }];
      return paidIn(one, block).map((recipient) => ({
        recipient,
        amountBase: (members?.find((member) => member.recipient === recipient) ?? single[0])?.amountBase,
      }));
    }),
  );
  for (const { recipient, amountBase } of paid)
    if (!owed.some((order) => order.recipient === recipient && order.amountBase === amountBase))
      violations.push(`${recipient} got ${amountBase}, which nobody had ordered`);
  for (const [recipient, some] of Map.groupBy(paid, (one) => one.recipient))
    if (some.length > 1) violations.push(`${recipient} was paid ${some.length} times while somebody forged rows`);
  const { transfers, transactions, halts } = tables();
  const settlements = [...transfers.rows.values()].filter(({ transfer }) => transfer.purpose === "settlement");
  const forged = settlements.filter(({ transfer }) => !isOwed(transfer, orders));
  const isHalted = [...halts.rows.values()].some(({ halt }) => HALTS.includes(halt.cause));
  if (forged.length > 0 && !isHalted) violations.push(`${forged[0]?.id} is forged, and nothing is halted`);
  // What was forged between its signature and its row has a nonce, and what is behind that waits for people.
  const isInSequence = [...transactions.rows.values()].some(({ transferId }) => forged.some(({ id }) => id === transferId));
  for (const { id, transfer } of settlements) {
    if (!isLifted || isInSequence || forged.some((row) => row.id === id) || ["executed", "failed"].includes(transfer.state)) continue;
    violations.push(`${id} is ${transfer.state} although only others were forged: ${transfer.waitingReason}`);
  }
}
