import { type AskedLimit, type AskedPayment, askBeforeSigning } from "#db/queries/exposure/ask-limits.ts";
import { judgeLimit } from "#domain/exposure-limit.ts";
import { countIn, judgeInTurn } from "#domain/limits-in-turn.ts";
import { type Finding, holdingFindings, LIMITED_PURPOSES } from "#domain/payment-check.ts";
import type { ConfirmCheck, OnRelease, SigningCheck } from "./check-kinds.ts";
import { keepVerdicts } from "./keep-verdicts.ts";

/** At a confirmation every limit applies except the wallets': the paying wallet is not known yet. */
export const LIMITS_AT_CONFIRM: ConfirmCheck = {
  check: "limit",
  judge({ limited, now }, counted) {
    if (limited === null) return [];
    const findings = judgeInTurn(limited.limits, limited.payment, now, counted);
    // A held payment counts for nothing.
    if (holdingFindings({ findings }).length === 0) countIn(counted, limited.limits, limited.payment);
    return findings;
  },
};

/**
 * Before signing: the wallet's own limits, and limits that are new or have changed since. A verdict by the same version is still valid. For
 * top-ups, withdrawals (before the sweep that takes their crypto) and returns this is the only check.
 */
export const LIMITS_BEFORE_SIGNING: SigningCheck = {
  check: "limit",
  purposes: new Set(LIMITED_PURPOSES),
  async judge(tx, payments, { walletId, now }) {
    const ids = payments.map(({ transfer }) => transfer.id);
    const asked = new Map((await askBeforeSigning(tx, ids, walletId)).map((one) => [one.ownerId, one]));
    const counted = new Map<string, bigint>();
    const findings = payments.map(({ transfer, released }) => {
      const one = asked.get(transfer.ownerId);
      const made = one === undefined ? [] : judgeUnsettled(one, counted, now);
      // A held payment counts for nothing, so the next one may use its share.
      if (made.every(({ outcome, dryRun, key }) => outcome === "pass" || dryRun || released.includes(key))) count(made, counted);
      return [transfer.id, made] as const;
    });
    return new Map(findings);
  },
};

const placeOf = (limitId: string, counter: string | null) => `${limitId} ${counter}`;

/** `counted`: by the payments before it, of the same transaction. */
function judgeUnsettled({ payment, limits }: AskedPayment, counted: ReadonlyMap<string, bigint>, now: Date): Finding[] {
  // A payment that was held and released manually is in no window yet.
  const isSettled = ({ version, versionBefore, windowSeconds, isCharged }: AskedLimit) =>
    versionBefore === String(version) && (windowSeconds === null || isCharged);
  return judgeInTurn(
    limits.filter((limit) => !isSettled(limit)),
    payment,
    now,
    counted,
  );
}

function count(findings: readonly Finding[], counted: Map<string, bigint>): void {
  for (const { key, charge } of findings) if (charge !== undefined) add(counted, placeOf(key, charge.counter), BigInt(charge.amount));
}

function add(counted: Map<string, bigint>, place: string, amountAtto: bigint): void {
  counted.set(place, (counted.get(place) ?? 0n) + amountAtto);
}

/** What people let pass counts like everything else, also beyond the limit. */
export const countReleased: OnRelease = async (tx, { transfer, now }) => {
  const [asked] = await askBeforeSigning(tx, [transfer.id], null);
  if (asked === undefined) return;
  const findings = asked.limits.map((limit) => judgeLimit(limit, asked.payment, now)).filter(({ charge }) => charge !== undefined);
  const released = findings.map((finding): Finding => ({ ...finding, outcome: "pass", words: "Released by a person." }));
  const { purpose, ownerId, partnerId } = transfer;
  await keepVerdicts(
    tx,
    [{ purpose, ownerId, partnerId, holds: [], verdicts: [{ check: "limit", stage: "release", findings: released }] }],
    now,
  );
};
