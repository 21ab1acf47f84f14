import { z } from "zod";
import type { LookUp } from "#domain/lapsing-chain.ts";
import { isPast, type LapsingReport } from "#domain/lapsing-report.ts";
import { Unreachable } from "#server/ports.ts";
import { count, inContext, Landed, Statuses } from "./answers.ts";
import { explainFault } from "./explain-fault.ts";
import { holdingIn } from "./judge-accounts.ts";
import { termsOf } from "./payment-bytes.ts";
import { type Asked, accountsAt, BASE64, blockAt, finalBlock } from "./read-chain.ts";
import { readLanded } from "./read-landed.ts";

/** What a node knows of an attempt. @throws Unreachable, also where it did not search all that it calls final */
export async function findPayment(asked: Asked, attempt: LookUp): Promise<LapsingReport> {
  const { rpc, rules } = asked;
  const final = { commitment: rules.commitment };
  // What the node calls final is asked first, so all of it was there when the search began.
  const point = await finalBlock(asked);
  // What the service did not make has no bytes here.
  const { blockhash, tokenProgram } = attempt.bytes === "" ? { blockhash: null, tokenProgram: null } : termsOf(attempt.bytes);
  const [landed, statuses, isValid] = await Promise.all([
    rpc.ask(Landed.nullable(), "getTransaction", attempt.id, { ...BASE64, ...final, maxSupportedTransactionVersion: 0 }),
    rpc.ask(Statuses, "getSignatureStatuses", [attempt.id], { searchTransactionHistory: true }),
    blockhash === null ? { value: true } : rpc.ask(inContext(z.boolean()), "isBlockhashValid", blockhash, final),
  ]);
  if (landed !== null) return await toEnd(asked, landed, tokenProgram === null);
  const status = statuses.value[0] ?? null;
  // In a block that the cluster may still drop, and that cannot be asked about.
  if (status?.confirmationStatus === "processed") return { kind: "absent", history: null, isExpired: false };
  if (status !== null) {
    const { height, hash } = await blockAt(asked, status.slot);
    return { kind: "seen", height, blockHash: hash };
  }
  // Behind one name there may be several machines: one that is behind has not searched all of it.
  if (statuses.context.slot < point.slot) throw new Unreachable(`${rpc.name} searched fewer blocks than it calls final`);
  // Asked last: what the node throws away during the search does not count as searched.
  const { height, at } = await blockAt(asked, await rpc.ask(count, "getFirstAvailableBlock"));
  const history = { from: { height, at }, to: { height: point.height, at: point.at } };
  // A blockhash that is newer than the final block is not valid there yet.
  return { kind: "absent", history, isExpired: !isValid.value && isPast(attempt.expiry, point) };
}

async function toEnd(asked: Asked, landed: Landed, isCoin: boolean): Promise<LapsingReport> {
  const { height, hash, at } = await blockAt(asked, landed.slot);
  const { fee, moves, others } = readLanded(landed);
  const end = { kind: "final", height, at, blockHash: hash, fee, moves } as const;
  if (landed.meta.err === null) return { ...end, outcome: "paid" };
  const accounts = others.length === 0 ? [] : await accountsAt(asked, others);
  const isRecipientFrozen = accounts.some((account) => holdingIn(account)?.isFrozen === true);
  return { ...end, outcome: "failed", ...explainFault(landed.meta.err, isCoin, isRecipientFrozen) };
}
