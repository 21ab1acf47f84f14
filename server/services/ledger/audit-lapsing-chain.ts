import { type EndedLapsing, listEndedLapsing } from "#db/queries/audit/rules/ended-lapsing.ts";
import type { AuditScope, RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import type { LapsingRow } from "#db/queries/transfers/lapsing-attempts.ts";
import type { TransferProof } from "#db/queries/transfers/transfer-proofs.ts";
import { type LapsingChain, type LapsingNode, owedOn } from "#domain/lapsing-chain.ts";
import {
  expiryOf,
  type LapsingOwed,
  type LapsingReport,
  type LapsingTokenMove,
  type MeteredUse,
  paysOwed,
  placesIn,
} from "#domain/lapsing-report.ts";
import type { Uses } from "#server/context.ts";
import { Findings } from "./audit-report.ts";

const PAGE = 200;
const AT_ONCE = 8;

type Page = { scope: AuditScope; endedSince: Date | null };
/** `unproven`: what the node no longer has, so that it proves nothing. */
type Faults = { faults: string[]; unproven: string[] };

/** Compares every finished transfer of a chain whose payments lapse with what a node of it reports. */
export async function auditLapsingChain(
  { db }: Uses<"db">,
  { chain, node }: { chain: LapsingChain; node: LapsingNode },
  { scope, endedSince }: Page,
): Promise<RuleOutcome[]> {
  const [executed, failed, asked] = [new Findings(), new Findings(), new Findings()];
  let after: string | null = null;
  for (let more = true; more; ) {
    const page: EndedLapsing[] = await listEndedLapsing(db, { chain: chain.chain, scope, endedSince, after, limit: PAGE });
    for (let index = 0; index < page.length; index += AT_ONCE) {
      await Promise.all(
        page.slice(index, index + AT_ONCE).map(async (ended) => {
          const { transfer } = ended;
          const isExecuted = transfer.state === "executed";
          const { faults, unproven } = await (isExecuted ? executedFaults(chain, node, ended) : failedFaults(node, ended));
          (isExecuted ? executed : failed).check(transfer.ownerId, faults, transfer.chain);
          asked.check(transfer.ownerId, unproven);
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
    asked.outcome("chain_was_asked", "the chain itself was asked"),
  ];
}

async function executedFaults(chain: LapsingChain, node: LapsingNode, ended: EndedLapsing): Promise<Faults> {
  const { transfer, members, place, attempts, proof, fee } = ended;
  const paid = attempts.find(({ id, state }) => id === transfer.txHash && state === "paid");
  if (paid === undefined && proof !== null) return await provedFaults(chain, node, { transfer, proof, attempts });
  if (paid === undefined) return { faults: [`${transfer.id} was executed, and no attempt of it was`], unproven: [] };
  const others = await paymentsAmong(
    node,
    attempts.filter((attempt) => attempt !== paid),
  );
  const report = await find(node, paid);
  if (isUnknown(report, paid))
    return { faults: others, unproven: [`not proven: ${node.name} no longer has block ${paid.blockNumber} of ${paid.id}`] };
  if (report.kind !== "final") return { faults: [...others, `${paid.id} is ${report.kind} on the chain`], unproven: [] };
  const owed = (members ?? [transfer]).map((one) => owedOn(chain, one));
  const shown = place === null ? null : (placesIn(report, owed)?.[0] ?? null);
  const faults = [
    ...(report.outcome === "paid" && paysOwed(report, owed) ? [] : [`${paid.id} does not pay what is owed`]),
    ...(shown === null || shown === place ? [] : [`${paid.id} pays it at ${shown}, and the books say at ${place}`]),
    ...(report.blockHash === transfer.blockHash ? [] : [`${paid.id} is in another block`]),
    ...(fee?.feeBase === report.fee.amountBase
      ? []
      : [`${paid.id} cost ${report.fee.amountBase}, and ${fee?.feeBase ?? "nothing"} is booked`]),
    ...otherUses(paid, report.used ?? {}),
  ];
  return { faults: [...others, ...faults], unproven: [] };
}

/** A payment that another transaction made, by people's word. */
async function provedFaults(
  chain: LapsingChain,
  node: LapsingNode,
  { transfer, proof: { hash, blockNumber, blockHash }, attempts }: Pick<EndedLapsing, "transfer" | "attempts"> & { proof: TransferProof },
): Promise<Faults> {
  const others = await paymentsAmong(node, attempts);
  const report = await node.find({ id: hash, after: blockNumber - 1, expiry: { by: "height", last: blockNumber }, bytes: "" });
  if (report.kind === "absent")
    return { faults: others, unproven: [`not proven: ${node.name} no longer has block ${blockNumber} of ${hash}`] };
  const owed = owedOn(chain, transfer);
  const isShown = report.kind === "final" && report.outcome === "paid" && report.blockHash === blockHash;
  const isPaid = isShown && report.moves.some((move) => movesOwed(move, owed));
  return { faults: isPaid ? others : [...others, `${hash} does not pay what is owed`], unproven: [] };
}

function movesOwed(move: LapsingTokenMove, { token, recipient, amountBase }: LapsingOwed): boolean {
  return move.token === token && move.recipient === recipient && move.amountBase === amountBase;
}

/** What is stored otherwise than the chain has it. Of an attempt that ended before uses were stored, nothing is. */
function otherUses({ id, used }: LapsingRow, onChain: MeteredUse): string[] {
  const names = used === null ? [] : [...new Set([...Object.keys(used), ...Object.keys(onChain)])];
  const other = names.filter((name) => used?.[name] !== onChain[name]);
  return other.map((name) => `${id} used ${onChain[name] ?? "no"} ${name}, and ${used?.[name] ?? "nothing"} is stored`);
}

async function failedFaults(node: LapsingNode, { attempts }: EndedLapsing): Promise<Faults> {
  return { faults: await paymentsAmong(node, attempts), unproven: [] };
}

/** Which attempts have paid, though the books say that they did not. What a node no longer has, it cannot show. */
async function paymentsAmong(node: LapsingNode, attempts: readonly LapsingRow[]): Promise<string[]> {
  const reports = await Promise.all(attempts.map(async (attempt) => ({ id: attempt.id, report: await find(node, attempt) })));
  return reports.flatMap(({ id, report }) => (report.kind === "final" && report.outcome === "paid" ? [`${id} has paid as well`] : []));
}

async function find(node: LapsingNode, attempt: LapsingRow): Promise<LapsingReport> {
  return await node.find({ id: attempt.id, after: attempt.afterHeight, expiry: expiryOf(attempt), bytes: attempt.unsignedBytes });
}

function isUnknown(report: LapsingReport, { blockNumber }: LapsingRow): report is Extract<LapsingReport, { kind: "absent" }> {
  if (report.kind !== "absent") return false;
  const { history } = report;
  return history === null || blockNumber === null || history.from.height > blockNumber || history.to.height < blockNumber;
}
