import { type EndedTransfer, listEndedTransfers } from "#db/queries/audit/rules/ended-transfers.ts";
import type { AuditScope, RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import type { NetworkFee } from "#db/queries/ledger/network-fees.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { findPayments, tokenMoveIn } from "#domain/evm-intent.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import type { Uses } from "#server/context.ts";
import type { EvmNode } from "#server/ports.ts";
import { type AnsweringChain, finalHeightOf } from "./answering-chain.ts";
import { Findings } from "./audit-report.ts";

const PAGE = 200;
const AT_ONCE = 8;

/** Compares every finished transfer with the chain. */
export async function auditChain(
  ctx: Uses<"db">,
  chain: AnsweringChain,
  { scope, endedSince }: { scope: AuditScope; endedSince: Date | null },
): Promise<RuleOutcome[]> {
  const [executed, failed, claimed] = [new Findings(), new Findings(), new Findings()];
  let after: string | null = null;
  for (let more = true; more; ) {
    const page: EndedTransfer[] = await listEndedTransfers(ctx.db, { chain: chain.info.chain, scope, endedSince, after, limit: PAGE });
    // Asked after the rows were read: what ended before that is final at this height, also where it ended just now.
    const height = page.length === 0 ? 0 : await finalHeightOf(chain);
    for (let index = 0; index < page.length; index += AT_ONCE) {
      await Promise.all(
        page.slice(index, index + AT_ONCE).map(async (ended) => {
          const { transfer } = ended;
          if (transfer.state === "executed")
            executed.check(transfer.ownerId, await executedFaults(chain.node, ended, height), transfer.chain);
          else failed.check(transfer.ownerId, await failedFaults(chain.node, ended), transfer.chain);
          if (ended.claimed !== null)
            claimed.check(transfer.ownerId, await unclaimedLogs(chain.node, ended, ended.claimed), transfer.chain);
        }),
      );
    }
    after = page.at(-1)?.transfer.id ?? after;
    more = page.length === PAGE;
  }
  return [
    executed.outcome(
      "executed_is_on_the_chain",
      "every executed transfer has a final, successful receipt in its block, with the token's event for exactly this payment",
    ),
    failed.outcome("failed_is_not_on_the_chain", "no failed transfer has a payment on the chain"),
    claimed.outcome(
      "packed_log_is_claimed",
      "each Transfer log of the wallet in a packed transaction is that of one payment, of a proof, or of a line in suspense",
    ),
  ];
}

async function executedFaults(node: EvmNode, ended: EndedTransfer, height: number): Promise<string[]> {
  const { transfer, proof, fee, place } = ended;
  if (transfer.txHash === null) return [`${transfer.id} was executed without a hash`];
  const receipt = await node.receipt(transfer.txHash);
  if (receipt === null) return [`the chain has no receipt of ${transfer.txHash}`];
  const faults = await secondPayments(node, ended);
  if (!receipt.succeeded) faults.push(`${transfer.txHash} was reverted`);
  if (receipt.blockHeight > height) faults.push(`block ${receipt.blockHeight} of ${transfer.txHash} is not final`);
  if (transfer.blockHash !== null && transfer.blockHash !== receipt.blockHash) faults.push(`${transfer.txHash} is in another block`);
  faults.push(...feeFaults(receipt, fee));
  const judgement = judgeReceipt(transfer, receipt.logs);
  if (judgement.type !== "execute") faults.push("reason" in judgement ? judgement.reason : judgement.type);
  if (transfer.call === null && transfer.tokenAddress !== null) {
    const payments = findPayments(receipt.logs, transfer);
    const said = proof === null ? place : (proof.logIndex ?? -1);
    if (said !== null && !payments.includes(said))
      faults.push(`${transfer.txHash} does not pay where its proof or its packed transaction says`);
    // A foreign transaction may contain several payments, each of which proves one transfer; ours contains one.
    if (said === null && payments.length !== 1) faults.push(`${transfer.txHash} pays ${payments.length} times`);
  }
  return faults;
}

/** What left the wallet in a packed transaction, and no payment of it claims. */
async function unclaimedLogs(
  node: EvmNode,
  { transfer: { txHash, tokenAddress } }: EndedTransfer,
  claimed: ReadonlySet<number>,
): Promise<string[]> {
  const receipt = txHash === null ? null : await node.receipt(txHash);
  if (!receipt?.succeeded) return [];
  return receipt.logs.flatMap((log, place) => {
    const move = log.address.toLowerCase() === tokenAddress?.toLowerCase() ? tokenMoveIn(log) : null;
    if (move?.from !== receipt.sender.toLowerCase() || claimed.has(place)) return [];
    return [`${receipt.hash} paid ${move.amountBase} of ${log.address} to ${move.to} at log ${place}, and no payment claims it`];
  });
}

function feeFaults({ hash, feeBase }: EvmReceipt, fee: NetworkFee | null): string[] {
  return fee === null || fee.feeBase === feeBase ? [] : [`${hash} cost ${feeBase}, and ${fee.feeBase} is booked`];
}

/** Of all transactions signed for it, under any nonce, only one may have paid. */
async function secondPayments(node: EvmNode, { transfer, payments }: EndedTransfer): Promise<string[]> {
  const faults: string[] = [];
  for (const hash of payments) {
    const receipt = hash === transfer.txHash ? null : await node.receipt(hash);
    if (receipt?.succeeded && judgeReceipt(transfer, receipt.logs).type === "execute") faults.push(`${hash} paid it, too`);
  }
  return faults;
}

async function failedFaults(node: EvmNode, { transfer, payments, fee }: EndedTransfer): Promise<string[]> {
  const faults: string[] = [];
  for (const hash of payments) {
    const receipt = await node.receipt(hash);
    if (receipt && fee?.hash === hash) faults.push(...feeFaults(receipt, fee));
    if (receipt?.succeeded && judgeReceipt(transfer, receipt.logs).type === "execute")
      faults.push(`${transfer.id} failed, and ${hash} paid`);
  }
  return faults;
}
