import { JOURNAL_MUTANTS } from "./journal-mutants.ts";
import { LAPSING_MUTANTS } from "./lapsing-mutants.ts";
import { ORDER_MUTANTS, WALLET_MUTANTS } from "./order-mutants.ts";
import { PACK_MUTANTS } from "./pack-mutants.ts";
import { PAYMENT_MUTANTS } from "./payment-mutants.ts";
import type { Mutant, Patch } from "./seam.ts";

export const MUTANTS: readonly Mutant[] = [
  ...[...PAYMENT_MUTANTS, ...JOURNAL_MUTANTS].map((mutant) => ({ ...mutant, family: "payments" as const })),
  ...LAPSING_MUTANTS.map((mutant) => ({ ...mutant, family: "lapsing" as const })),
  ...PACK_MUTANTS.map((mutant) => ({ ...mutant, family: "packs" as const })),
  ...WALLET_MUTANTS.map((mutant) => ({ ...mutant, family: "wallets" as const })),
  ...ORDER_MUTANTS.map((mutant) => ({ ...mutant, family: "orders" as const })),
  {
    name: "six-attempts",
    family: "callbacks",
    defect: "A callback is given up after five attempts",
    patches: [{ file: "domain/callback.ts", is: "[60, 300, 1_800, 7_200, 43_200]", was: "[60, 300, 1_800, 7_200]" }],
  },
  {
    name: "leases-renewed",
    family: "callbacks",
    defect: "Another worker also begins an attempt that takes longer than its lease",
    patches: [
      {
        file: "server/engines/held-leases.ts",
        is: "this.#renewal ??= setInterval(",
        was: "this.#renewal ??= ((run, _ms) => setTimeout(run, 1e9))(",
      },
    ],
  },
  {
    name: "ends-kept",
    from: 404,
    family: "callbacks",
    defect: "The outcome of an attempt is forgotten while the database is away",
    patches: [
      {
        file: "server/engines/callbacks/settle-queue.ts",
        is: "this.#waiting = [...this.#waiting.slice(batch.length), ...again];",
        was: "this.#waiting = this.#waiting.slice(batch.length);",
      },
    ],
  },
  {
    name: "quote-runs-out",
    family: "settlements",
    defect: "A quote is accepted after it has expired",
    patches: [{ file: "domain/lifecycle.ts", is: `if (action === "confirm") refuseExpired(settlement, now);`, was: "" }],
  },
  {
    name: "one-answer",
    from: 9,
    family: "settlements",
    defect: "A confirmation at the same time as a cancellation wins as well",
    patches: [{ file: "domain/lifecycle.ts", is: "if (settlement.status !== row.from) throw wrongState(settlement);", was: "" }],
  },
  {
    name: "same-reference",
    from: 11,
    family: "settlements",
    defect: "A repeated confirmation succeeds under another reference",
    patches: [
      {
        file: "server/services/settlements/confirm-settlement.ts",
        is: "    refuseOtherValues(settlement, command.externalTxId, callbackUrl);\n",
        was: "",
      },
    ],
  },
];

export function patchesOf(name: string): readonly Patch[] {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no fix ${name}: choose from ${MUTANTS.map((one) => one.name).join(", ")}.`);
  return mutant.patches;
}
