import { openDatabase } from "#db/client.ts";
import type { By } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import { ALL_SIGNED, type SigningThresholds } from "#domain/signed-approval.ts";
import type { Decision } from "#domain/signed-decision.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { withSignatures } from "#server/services/transfers/find-unsigned.ts";
import type { Lies } from "./authenticator.ts";
import type { TestChain } from "./chain.ts";
import { processOf } from "./database.ts";
import { addDecidingPerson, type DecidingPerson, passkeys, signDecision } from "./deciding-people.ts";
import { addTerms, type TestPartner } from "./factories.ts";
import { openMoneyStage } from "./money-stage.ts";
import type { TestPerson } from "./people.ts";
import { newAddress } from "./transfers.ts";

/** Above this amount a settlement awaits an approval, above ten times of it two. */
export const MAXIMUM = 100_000n;
const GUARDED = [
  "settlement_approvals",
  "decision_signatures",
  "passkey_keys",
  "settlements",
  "settlement_quotes",
  "transfers",
  "proposals",
];

export type SigningStage = Awaited<ReturnType<typeof openSigningStage>>;

/** A stage on which passkeys sign approvals, and a worker pays only what they have signed. */
export async function openSigningStage(chain: TestChain) {
  const stage = await openMoneyStage(chain, { partners: 1 });
  const [partner] = stage.partners as [TestPartner];
  await addTerms(stage.db, { version: 2, spreadBps: 35, maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: 10n * MAXIMUM });
  const settings = { thresholds: ALL_SIGNED as SigningThresholds };
  const clock = { now: () => new Date() };

  const web = () => {
    const policy = { driftToleranceBps: 10, signedApprovals: settings.thresholds, decisionTargetMinutes: 60 };
    return { db: stage.db, clock, chains: stage.ctx.evm, mode: "sandbox" as const, passkeys, policy };
  };
  /** The worker as it is wired. */
  const worker = () => {
    const signers = stage.signersOf({ findUnowed: withSignatures(web(), findUnowed) });
    return stage.newTransfers({ ctx: { ...stage.ctx, db: processOf(stage.db, "worker"), signers } });
  };
  const approve = (by: By, id: string) => approveSettlement(web(), { by, id, note: null, expectedExchangeRate: null });
  /** The decision that a refusal asks to be signed. */
  async function askedBy(work: Promise<unknown>): Promise<Decision> {
    const refusal = await work.catch((error: unknown) => error);
    if (!isRefusal(refusal) || refusal.particulars.decision === undefined)
      throw new Error("nothing was asked to be signed", { cause: refusal });
    return refusal.particulars.decision;
  }
  const decisionOf = (signer: TestPerson, id: string) => askedBy(approve(signer.by, id));
  const sign = (signer: DecidingPerson, decision: Decision, lies: Lies = {}) => signDecision(stage.db, signer, decision, { lies });

  /** As somebody who owns the database, and takes its triggers away. */
  async function tamper(statement: string): Promise<void> {
    const owner = openDatabase({ url: stage.url, applicationName: "owner", maxConnections: 1 });
    await owner.sql.begin(async (tx) => {
      for (const table of GUARDED) await tx.unsafe(`alter table ${table} disable trigger user`);
      await tx.unsafe(statement);
      for (const table of GUARDED) await tx.unsafe(`alter table ${table} enable trigger user`);
    });
    await owner.close();
  }
  return {
    ...stage,
    partner,
    settings,
    web,
    worker,
    addSigner: () => addDecidingPerson(stage.db),
    newQuote: async (amountMinor = MAXIMUM + 1n) => await stage.quote(partner, { amountMinor, wallet: newAddress() }),
    approve,
    askedBy,
    decisionOf,
    sign,
    async signAndApprove(signer: DecidingPerson, id: string) {
      const signature = await sign(signer, await decisionOf(signer, id));
      return await approve({ ...signer.by, signature }, id);
    },
    tamper,
    /** Has one worker do all payments. */
    async runAll(): Promise<void> {
      const rows = await stage.sql<{ id: string }[]>`select id from transfers where purpose = 'settlement'`;
      await stage.run(
        worker(),
        rows.map(({ id }) => id),
        6,
      );
    },
    async paid(id: string): Promise<boolean> {
      await stage.confirm(partner, id);
      const [row] = await stage.sql<{ id: string }[]>`select id from transfers where owner_id = ${id}`;
      await stage.run(worker(), [row?.id ?? ""], 6);
      const [{ state } = { state: null }] = await stage.sql<{ state: string }[]>`select state from transfers where owner_id = ${id}`;
      return state === "executed";
    },
    kept: async () => await stage.sql`select object_id, user_id from decision_signatures order by signed_at, id`,
    async brokenSignatures() {
      const { rules } = await auditDatabase({ db: stage.db, passkeys });
      const rule = rules.find(({ rule: name }) => name === "decisions_are_signed");
      return { checked: rule?.checked, faults: rule?.violations.map(({ detail }) => detail) };
    },
  };
}
