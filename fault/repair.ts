import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "#db/client.ts";
import type { By } from "#domain/access.ts";
import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import type { EvmDirectory } from "#server/ports.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { bookComparison } from "#server/services/treasury/book-comparison.ts";
import { bookLapsingLoss } from "#server/services/treasury/book-lapsing-loss.ts";
import { bookLoss } from "#server/services/treasury/book-loss.ts";
import { compareLapsing } from "#server/services/treasury/compare-lapsing.ts";
import { compareTreasury } from "#server/services/treasury/compare-treasury.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { addProvenPerson } from "#testing/people.ts";
import { NO_LAPSING_CHAINS } from "#testing/surface.ts";
import type { World } from "./world.ts";

/** Halted by what the chain counts; the signing journal halts the chain as a whole. */
export async function haltedWallets(db: Database) {
  return (await listOpenHalts({ db })).filter(({ cause }) => cause === "foreign_nonce");
}

/** The runbook's steps for people, as in live mode: one compares, books and lifts, and another one confirms each. */
export async function repair({ db, evm }: { db: Database; evm: EvmDirectory }) {
  const ctx = contextOf({ db, evm });
  const [one, other] = [await addProvenPerson(db, "admin"), await addProvenPerson(db, "admin")];
  const confirm = (id: string) => confirmProposal(ctx, { by: other.by, id });
  const compared = await compareTreasury(ctx);
  const paid = compared.flatMap((each) => each.paid);
  const booked = await bookComparison(ctx, { by: one.by, paid });
  for (const { outcome, detail } of booked) if (outcome === "proposed" && detail !== null) await confirm(detail);
  for (const { chain, unexplained } of compared) {
    if (unexplained.length === 0) continue;
    const hashes = unexplained.map(({ hash }) => hash);
    const { proposal } = await bookLoss(ctx, { by: one.by, chain, hashes, reason: "settled after the backup, and lost with it" });
    await confirm(proposal.id);
  }
  const wallets = (await haltedWallets(db)).length;
  const lifted = await liftAll(ctx, one.by, confirm);
  const alone = booked.filter(({ outcome }) => outcome === "booked").length + lifted.alone;
  return {
    halts: wallets,
    isBehind: lifted.isBehind,
    paid: paid.length,
    unexplained: compared.flatMap((each) => each.unexplained).length,
    alone,
  };
}

/** One person proposes to lift every halt, and another one confirms each. `alone`: how many one person could lift. */
async function liftAll(ctx: Parameters<typeof liftHalt>[0], by: By, confirm: (proposalId: string) => Promise<unknown>) {
  const halts = await listOpenHalts(ctx);
  const lifts = [];
  for (const { id } of halts) lifts.push(await liftHalt(ctx, { by, haltId: id, reason: "restored from a backup, compared and booked" }));
  for (const { proposal } of lifts) await confirm(proposal.id);
  const isBehind = halts.some(({ cause }) => cause === "database_behind");
  return { isBehind, halts: halts.length, alone: lifts.filter(({ result }) => result !== null).length };
}

/** The same for a network whose payments lapse: what was lost is taken over from the signer's journal once the halt is lifted. */
export async function repairLapsing({ database: { db }, stage }: World) {
  const lapsing = stage.network?.judge;
  if (lapsing === undefined) throw new Error("there is no network");
  const ctx = { ...contextOf({ db, evm: stage.evm }), lapsing };
  const [one, other] = [await addProvenPerson(db, "admin"), await addProvenPerson(db, "admin")];
  const confirm = (id: string) => confirmProposal(ctx, { by: other.by, id });
  const { state } = readAsFarAsPossible(readFileSync(join(stage.directory, "signing-journal.log"))).lines;
  let [lost, gone, alone] = [0, 0, 0];
  for (const chain of lapsing.list()) {
    const [compared] = await compareLapsing({ db, lapsing }, state.lapsing.attempts(chain.chain));
    const payments = compared?.lost.flatMap((one) => one.payments) ?? [];
    lost += payments.filter(({ transfer }) => transfer !== null).length;
    gone += payments.filter(({ transfer }) => transfer === null).length;
    const unowed = compared?.lost.filter(({ transfer, fate }) => transfer === null && fate === "paid").map(({ entry }) => entry) ?? [];
    if (unowed.length === 0) continue;
    const { result, proposal } = await bookLapsingLoss(ctx, {
      by: one.by,
      chain,
      entries: unowed,
      reason: "confirmed after the backup, and lost",
    });
    alone += result === null ? 0 : 1;
    await confirm(proposal.id);
  }
  const lifted = await liftAll(ctx, one.by, confirm);
  return { ...lifted, lost, gone, alone: alone + lifted.alone };
}

function contextOf({ db, evm }: { db: Database; evm: EvmDirectory }) {
  return {
    db,
    evm,
    lapsing: NO_LAPSING_CHAINS,
    chains: evm,
    mode: "live" as const,
    clock: { now: () => new Date() },
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
  };
}
