import type { Database } from "#db/client.ts";
import { type AuditScope, asOfOneInstant, type RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { type AuditedSignature, listSignatures, type SignatureRecord } from "#db/queries/proposals/decision-signatures.ts";
import { findProposal } from "#db/queries/proposals/proposals.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { listSupersededPlaces } from "#db/queries/transfers/signing-journal.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { aboveCapFault, placeText } from "#domain/above-cap.ts";
import { canonicalJson, type Json } from "#domain/canonical-json.ts";
import { fiatAmount } from "#domain/money.ts";
import { recordFault } from "#domain/signed-approval.ts";
import type { DecisionRecord } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";
import { verifySignature } from "#server/services/proposals/verify-signature.ts";
import { Findings } from "./audit-report.ts";

const PAGE = 200;

/** Verifies every stored signature again: the device signed the stored text, and the text agrees with the stored decision. */
export async function auditSignatures(ctx: Uses<"passkeys"> & { db: Database }, scope: AuditScope): Promise<RuleOutcome> {
  const findings = new Findings();
  let after: SignatureRecord | null = null;
  for (let more = true; more; ) {
    const start: SignatureRecord | null = after;
    const page: AuditedSignature[] = await asOfOneInstant(ctx.db, async (tx) => {
      const kept = await listSignatures(tx, { after: start, since: scope, limit: PAGE });
      for (const one of kept) findings.check(`${one.action} ${one.objectId} by ${one.userId}`, await faultsOf({ ...ctx, db: tx }, one));
      return kept;
    });
    after = page.at(-1) ?? null;
    more = page.length === PAGE;
  }
  return findings.outcome(
    "decisions_are_signed",
    "every signature of a decision is its passkey's over the stored text, which agrees with the decision",
  );
}

async function faultsOf(ctx: Uses<"passkeys" | "db">, kept: AuditedSignature): Promise<string[]> {
  const verified = await verifySignature(ctx, kept);
  if ("fault" in verified) return [verified.fault];
  const { record } = verified;
  const isAbout = record.action === "settlements.approve" || record.subject === kept.objectId;
  return [
    ...(isAbout ? [] : ["its record is about something else"]),
    ...(kept.isDecided ? [] : ["the person's decision is not stored"]),
    ...(isAbout ? await differences(ctx.db, record, kept.objectId) : []),
  ];
}

/** The price of an approval is compared before its payment is signed. Here: what it is paid for, and what is proposed. */
async function differences(db: Database, record: DecisionRecord, objectId: string): Promise<string[]> {
  if (record.action === "settlement.approve" || record.action === "settlements.approve") {
    const settlement = await findSettlement(db, objectId);
    const amount = settlement && fiatAmount(settlement.sourceAmountMinor, settlement.sourceCurrency);
    const fault = settlement === null || amount === null ? "another settlement" : recordFault(record, settlement, amount);
    return fault === "another settlement" ? ["the settlement is not what was signed"] : [];
  }
  if (record.action === "payment.above_cap") {
    const transfer = await findTransfer(db, record.subject);
    const { replaces = null } = record.facts;
    const places = replaces === null ? [] : await listSupersededPlaces(db, record.subject);
    const replaced = places.map(({ walletAddress: wallet, nonce }) => placeText({ wallet, nonce })).find((one) => one === replaces) ?? null;
    const payment = transfer && { transfer, period: "hour" as const, replaces: replaced };
    const isSame = payment !== null && aboveCapFault(record, payment, new Date(record.asked_at)) === null;
    return isSame ? [] : ["the payment is not what was signed"];
  }
  if (record.action !== "proposal.confirm") return [];
  const proposal = await findProposal(db, record.subject);
  const isSame = proposal !== null && canonicalJson(proposal.body as Json) === canonicalJson(record.facts.body ?? null);
  return isSame ? [] : ["the proposal is not what was signed"];
}
