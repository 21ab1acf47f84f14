import type { Database } from "#db/client.ts";
import { findMaker } from "#db/queries/access/key-makers.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findVoter } from "#db/queries/proposals/proposals.ts";
import {
  type GivenApproval,
  insertApprovals,
  listApprovalRules,
  listApprovalsOf,
  listDemands,
} from "#db/queries/settlements/settlement-approvals.ts";
import { type By, OPERATOR_ROLES } from "#domain/access.ts";
import { approvalsNeeded, type Decider, deciderOf } from "#domain/approval.ts";
import { type Asked, askedOf, countsFor, type Who } from "#domain/approval-policy.ts";
import { pairKey } from "#domain/halt-scope.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { refuseUnlessConfirmed } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessYesCounts } from "#server/services/proposals/refuse-unless-counts.ts";

/** `given`: how many of those count at this moment. */
export type Standing = { given: number; needed: number };

/**
 * Records an approval of a waiting settlement, or of all items of a batch (`objectId`), and returns how many there are now. If more are
 * needed, the audit log records it and nothing else changes. An approval of somebody who has lost the role since, or no longer fits, does
 * not count. If enough count already, a repeat by one of those people completes the approval without recording it twice.
 *
 * @throws Refusal `forbidden` without the permission to decide, or outside the people whom the policy asks; `same_approver` in live mode for a
 * person whose devices nobody has confirmed, `same_person` for the maker of the key that asked for it, where one approval is enough; where more than one is needed
 * `step_up_required`, and `same_approver` for another approval by the same principal, by a key, or by somebody who does not count yet.
 */
export async function giveApproval(
  ctx: Uses<"db" | "clock" | "mode">,
  settlements: readonly Settlement[],
  { by, note, objectId, now }: { by: By; note: string | null; objectId: string; now: Date },
): Promise<Standing> {
  const decider = deciderOf(by.actor);
  if (decider === null) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  const { needed, whos } = await readAskedTogether(ctx.db, settlements);
  for (const who of whos) await refuseUnlessAsked(ctx.db, who, decider);
  if (ctx.mode === "live") await refuseUnconfirmed(ctx.db, decider);
  // One key has asked for all of a batch.
  if (needed === 1 && ctx.mode === "live") for (const each of settlements.slice(0, 1)) await refuseMaker(ctx.db, each, decider);
  // Every item has the same: each yes is given to all of them.
  const given =
    needed === 1
      ? []
      : await listApprovalsOf(
          ctx.db,
          settlements.slice(0, 1).map(({ id }) => id),
        );
  const counting = given.filter(({ elector }) => whos.every((who) => countsFor(who, elector)));
  // An earlier approval that counts again may have made them enough: one of its authors completes the approval by repeating it.
  const isOwn = ({ elector }: GivenApproval) => decider.type === "user" && elector?.principal === decider.id;
  const isEnough = counting.length >= needed && counting.some(isOwn);
  const before = isEnough ? counting.filter((approval) => !isOwn(approval)) : counting;
  if (needed > 1) await refuseUnlessYesCounts(ctx, { before: before.map((approval) => approval.decider), by, now });
  if (isEnough) return { given: counting.length, needed };
  // Its primary key prevents double counting, whatever else may fail.
  const added = await insertApprovals(ctx.db, settlements, { decider, approvedAt: now, note });
  if (added < settlements.length) throw new Refusal("same_approver");
  const standing = before.length + 1;
  if (standing < needed) {
    await insertAuditEntry(ctx.db, {
      by,
      // How many people the operator asks is internal to it.
      partnerId: null,
      action: "settlement.approval_recorded",
      objectId,
      reason: note,
      change: { approvals_given: standing, approvals_needed: needed },
      now,
    });
  }
  return { given: standing, needed };
}

/** @throws Refusal `same_approver` for one whose devices nobody has confirmed. */
async function refuseUnconfirmed(db: Database, decider: Decider): Promise<void> {
  const voter = await findVoter(db, decider);
  if (voter !== null) refuseUnlessConfirmed("live", voter);
}

/** Of two, at least one is somebody else. @throws Refusal `same_person` for one who made the key that asked for it. */
async function refuseMaker(db: Database, { apiKeyId }: Settlement, decider: Decider): Promise<void> {
  const [maker, voter] = [await findMaker(db, apiKeyId), await findVoter(db, decider)];
  if (maker !== null && maker === voter?.principal)
    throw new Refusal("same_person", { detail: "You made the key that asked for it, or a key of yours did. Another person must decide." });
}

/** The permission to decide was checked before. A rule may ask for specific people. */
async function refuseUnlessAsked(db: Database, who: Who, decider: Decider): Promise<void> {
  if (who.kind === "deciders") return;
  const voter = await findVoter(db, decider);
  const role = voter === null ? undefined : OPERATOR_ROLES.find((each) => each === voter.role);
  if (voter !== null && countsFor(who, role === undefined ? null : { principal: voter.principal, role })) return;
  const whose = who.kind === "admins" ? "an admin" : "one of the people whom it names";
  throw new Refusal("forbidden", { detail: `The approval policy requires the approval of ${whose}.` });
}

/** How many must say yes to a settlement that awaits a decision, and who: by the terms and the policy that it was quoted under. */
export async function readAsked(db: Database, settlement: AskedAbout): Promise<Asked> {
  const { needed, whos } = await readAskedTogether(db, [settlement]);
  return { needed, who: whos[0] ?? { kind: "deciders" } };
}

type AskedAbout = Pick<Settlement, "id" | "batchId" | "sourceAmountMinor" | "sourceCurrency" | "destinationCurrency" | "chain">;

/**
 * The same of the items of a batch, which are decided at once: the most that any of them asks for, or a pair's items together, where
 * that sum is judged; and everybody whom they ask. The database and the signer derive no more than that (docs/decisions/batches.md).
 */
export async function readAskedTogether(db: Database, settlements: readonly AskedAbout[]): Promise<{ needed: number; whos: Who[] }> {
  const ids = settlements.map(({ id }) => id);
  const [rules, demands] = [await listApprovalRules(db, ids), await listDemands(db, ids)];
  const asked = [...Map.groupBy(settlements, pairKey).values()].flatMap((same) => {
    const sum = same.reduce((total, { sourceAmountMinor }) => total + sourceAmountMinor, 0n);
    return same.map(({ id, batchId, sourceAmountMinor }) => {
      const rule = rules.get(id);
      if (rule === undefined) throw new Error(`the quote of ${id} is not kept`);
      const judged = rule.batchMaximumSourceMinor !== null && batchId !== null ? sum : sourceAmountMinor;
      return askedOf(approvalsNeeded(judged, rule), demands.get(id) ?? null);
    });
  });
  const whos = new Map(asked.map(({ who }) => [JSON.stringify(who), who]));
  return { needed: Math.max(...asked.map(({ needed }) => needed)), whos: [...whos.values()] };
}
