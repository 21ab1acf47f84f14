import type { Proof } from "./access.ts";
import { Refusal } from "./refusal.ts";
import { isSteppedUp } from "./session.ts";

/** Somebody who counts as one of two, as they are at this moment. */
export type Voice = {
  /** As whom they count: a person's id, also for each key that the person made; {@link MACHINE} for keys that were made on the machine. */
  principal: string;
  isPerson: boolean;
  /** Since when they are there; of a key made by a person, since when both are. */
  since: Date;
  hasSecondFactor: boolean;
};

/** As whom a key counts that no person made: who runs the machine; in the sandbox, the sandbox's operator. */
export const MACHINE = "machine";

/** Younger ones are no second person: they may have been made for the occasion. */
const OLD_ENOUGH_MS = 24 * 3_600_000;

export type TwoPeople = {
  mode: "sandbox" | "live";
  /** Those who have said yes before. */
  before: readonly Voice[];
  voice: Voice;
  /** What the one who says yes now has proven. */
  proof: Proof | null;
  /** Business time: ages. */
  now: Date;
  /** Real time: proofs. */
  realNow: Date;
};

/**
 * Whether the last yes is that of a second person (contract, part 10): another one than those before, a person and no key, in live mode
 * none of them younger than a day; and that person has proven just now who they are, with the second factor. In the sandbox the password
 * is enough for who has enrolled none.
 *
 * @throws Refusal `same_approver`, `step_up_required`.
 */
export function refuseUnlessTwoPeople({ mode, before, voice, proof, now, realNow }: TwoPeople): void {
  if (before.some(({ principal }) => principal === voice.principal))
    throw new Refusal("same_approver", {
      detail: "The first yes was your own, or that of a key which counts as you; another person must give the second.",
    });
  if (!voice.isPerson) throw new Refusal("same_approver", { detail: "The second yes must come from a person, not from an API key." });
  const isYoung = ({ since }: Voice) => now.getTime() - since.getTime() < OLD_ENOUGH_MS;
  if (mode === "live" && isYoung(voice))
    throw new Refusal("same_approver", { detail: "A second person must have been here for a day; another one must decide." });
  if (mode === "live" && before.some(isYoung))
    throw new Refusal("same_approver", { detail: "Who said yes first has not been here for a day, and does not count before that." });
  if (!isSteppedUp({ steppedUpAt: proof?.at ?? null }, realNow)) throw new Refusal("step_up_required");
  if (proof?.byCode !== true && (voice.hasSecondFactor || mode === "live"))
    throw new Refusal("step_up_required", { detail: "The second yes wants a one-time code given within the last five minutes." });
}
