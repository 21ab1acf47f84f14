import type { RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import type { AttestedChain } from "#domain/attestation.ts";
import { exactText } from "#domain/money.ts";
import { type EvmDirectory, EvmRejected, Unreachable } from "#server/ports.ts";
import { type AnsweringChain, findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { Findings } from "#server/services/ledger/audit-report.ts";
import type { Genuine } from "./read-genuine.ts";

const AT_ONCE = 8;

/**
 * Each attested block is on its chain, and at the newest one's blocks wallets and Safes hold what was attested. Nodes forget old states: what
 * they no longer know is noted, and is no disagreement.
 */
export async function auditAttestedChains(
  evm: EvmDirectory,
  genuine: readonly Genuine[],
): Promise<{ outcome: RuleOutcome; notes: string[] }> {
  const findings = new Findings();
  const notes: string[] = [];
  const nodes = new Map<string, AnsweringChain | null>();
  for (const [index, { attestation }] of genuine.entries()) {
    for (const attested of attestation.chains) {
      const { chain } = attested;
      const info = evm.find(chain);
      if (!nodes.has(chain)) nodes.set(chain, info && (await findAnsweringNode(info)));
      const answering = nodes.get(chain);
      const faults: string[] = [];
      if (info === null) notes.push(`${attestation.day}: ${chain} is not configured here, so it was not compared`);
      else if (!answering) faults.push("not proven: no node of the chain answers");
      else if (await blockStands(answering, attested, faults))
        if (index === genuine.length - 1) await compareBalances(answering, attested, { day: attestation.day, faults, notes });
      findings.check(attestation.day, faults, chain);
    }
  }
  const outcome = findings.outcome(
    "attested_balances_agree",
    "the chains have the attested blocks, and at the last of them the same balances",
  );
  return { outcome, notes };
}

async function blockStands({ node }: AnsweringChain, { chain, height, hash }: AttestedChain, faults: string[]): Promise<boolean> {
  const block = await node.block(height);
  if (block?.hash === hash) return true;
  faults.push(
    block === null
      ? `${chain} has no block ${height} yet, which was attested`
      : `block ${height} of ${chain} was attested as ${hash}, and the chain has ${block.hash}`,
  );
  return false;
}

async function compareBalances(
  { node, info }: AnsweringChain,
  { chain, height, balances }: AttestedChain,
  { day, faults, notes }: { day: string; faults: string[]; notes: string[] },
): Promise<void> {
  for (let from = 0; from < balances.length; from += AT_ONCE) {
    const some = balances.slice(from, from + AT_ONCE);
    try {
      const held = await Promise.all(
        some.map(({ address, currency }) => {
          const token = info.tokens.find((one) => one.currency === currency);
          return token === undefined ? null : node.balance(address, token.address, height);
        }),
      );
      for (const [index, { address, currency, decimals, amount }] of some.entries()) {
        const now = held[index] ?? null;
        if (now === null) notes.push(`${day}: ${currency} on ${chain} is not configured here, so it was not compared`);
        else if (now !== BigInt(amount))
          faults.push(
            `${address} was attested to hold ${exactText(BigInt(amount), decimals)} ${currency} at block ${height} of ${chain}, and held ${exactText(now, decimals)}`,
          );
      }
    } catch (error) {
      if (!(error instanceof EvmRejected) && !(error instanceof Unreachable)) throw error;
      notes.push(`${day}: the balances at block ${height} of ${chain} were not compared; an archive node knows them: ${error.message}`);
      return;
    }
  }
}
