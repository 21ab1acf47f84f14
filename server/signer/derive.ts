import { aboveCapOf, type FindAboveCap } from "#server/services/transfers/find-above-cap.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { type VerifyingPowers, withSignatures } from "#server/services/transfers/find-unsigned.ts";
import { type FindUnsignedRules, findUnsignedRules } from "#server/services/transfers/find-unsigned-rules.ts";

export type { VerifyingPowers } from "#server/services/transfers/find-unsigned.ts";

/** Derives payments from what owes them, and verifies what people have signed of it. */
export const derivationOf = (ctx: VerifyingPowers) => withSignatures(ctx, findUnowed);

/** Verifies what people have signed to let a payment go above a cap. */
export const aboveCap = (ctx: VerifyingPowers): FindAboveCap => aboveCapOf(ctx);

/** Verifies what people have signed of limits, maxima, policy and lifts. `accepted`: the fingerprints of those that the settings accept. */
export const unsignedRules = (ctx: VerifyingPowers, accepted: ReadonlySet<string>): FindUnsignedRules => findUnsignedRules(ctx, accepted);
