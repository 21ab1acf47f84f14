import type { Proof } from "./access.ts";
import { Refusal } from "./refusal.ts";
import { isSteppedUp } from "./session.ts";

/** A decider that may count as one of two people, with its present role. */
export type Voter = {
  /** As whom they count: a person's id, also for each key that the person made; {@link MACHINE} for keys that were made on the machine. */
  principal: string;
  isPerson: boolean;
  /** Since when they are there; of a key made by a person, since when both are. */
  since: Date;
  hasSecondFactor: boolean;
  /** Whether somebody else has confirmed the person's devices; of a key: those of its maker. */
  isConfirmed: boolean;
};

/** As whom a key counts that no person made: who runs the machine; in the sandbox, the sandbox's operator. */
export const MACHINE = "machine";

/** A younger one does not count as a second person: it may have been created for this purpose. */
export const OLD_ENOUGH_MS = 24 * 3_600_000;

export type Yes = {
  mode: "sandbox" | "live";
  /** Those who have said yes before; nobody: it is the first of the two. */
  before: readonly Voter[];
  voter: Voter;
  /** The proof of the person who approves now. */
  proof: Proof | null;
  /** Business time: ages. */
  now: Date;
  /** Real time: proofs. */
  realNow: Date;
};

/**
 * Whether an approval of an action that needs two people counts (contract, part 10). No principal counts twice, and the second approval
 * comes from a person, not a key. In live mode a person counts once their account
 * is a day old and another admin has confirmed their devices. A person has just authenticated, the second one with the second factor; in the
 * sandbox the password is enough for a person without one.
 *
 * @throws Refusal `same_approver`, `step_up_required`.
 */
export function refuseUnlessCounts({ mode, before, voter, proof, now, realNow }: Yes): void {
  const isSecond = before.length > 0;
  if (before.some(({ principal }) => principal === voter.principal))
    throw notTwo("You, or a key that counts as you, have already approved it");
  if (isSecond && !voter.isPerson) throw notTwo("The second approval must come from a person, not from an API key");
  const isYoung = ({ since }: Voter) => now.getTime() - since.getTime() < OLD_ENOUGH_MS;
  if (mode === "live" && isYoung(voter)) throw notTwo("Approvers must have had access for at least a day");
  if (mode === "live" && before.some(isYoung))
    throw notTwo("The first approver has not had access for a day yet, so that approval does not count");
  refuseUnlessConfirmed(mode, voter);
  if (mode === "live" && before.some(({ isConfirmed }) => !isConfirmed))
    throw notTwo("Nobody has confirmed the first approver's device yet, so that approval does not count");
  if (!voter.isPerson) return;
  if (!isSteppedUp({ steppedUpAt: proof?.at ?? null }, realNow)) throw new Refusal("step_up_required");
  if (isSecond && proof?.byCode !== true && (voter.hasSecondFactor || mode === "live"))
    throw new Refusal("step_up_required", { detail: "The second approval requires a one-time code entered within the last five minutes." });
}

/**
 * In live mode a person decides only once somebody else has confirmed their devices: who came by an invitation may not be who was invited.
 *
 * @throws Refusal `same_approver`
 */
export function refuseUnlessConfirmed(mode: Yes["mode"], { isConfirmed }: Pick<Voter, "isConfirmed">): void {
  if (mode === "live" && !isConfirmed) throw notTwo("An admin must first confirm your device under Users & roles");
}

function notTwo(detail: string): Refusal {
  return new Refusal("same_approver", { detail: `${detail}. Another person must decide.` });
}
