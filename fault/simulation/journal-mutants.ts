import type { Mutant } from "./seam.ts";

const PAYMENTS = "server/engines/payments";

/** The rules of the signing journal that can be taken out. */
export const JOURNAL_MUTANTS: readonly Omit<Mutant, "family">[] = [
  {
    name: "journal-first",
    defect: "Bytes are sent before they are in the signing journal",
    patches: [
      {
        file: "server/signer/admit-to-journal.ts",
        is: "const answers: Faults = await desk.journal.record(admissible.map(({ entry }) => entry));",
        was: "const answers: Faults = []; void desk.journal.record(admissible.map(({ entry }) => entry)).catch(() => {});",
      },
    ],
  },
  {
    name: "journal-durable",
    defect: "Bytes are sent before the signing journal survives a crash",
    patches: [{ file: "server/adapters/journal/open-journal.ts", is: "await this.#disk.sync();", was: "" }],
  },
  {
    name: "journal-others",
    seed: "journal-others-e",
    from: 2_885,
    defect: "What a process that died had appended counts as durable",
    patches: [
      {
        file: "server/adapters/journal/open-journal.ts",
        is: "if (fresh.length === 0) {\n      await this.#sync(known);",
        was: "if (fresh.length === 0) {",
      },
    ],
  },
  {
    name: "journal-mark",
    from: 33,
    defect: "A database that was put back signs nonces again that were signed before",
    patches: [
      {
        file: `${PAYMENTS}/claiming/compare-journal.ts`,
        is: ".filter(({ signed_nonce: mark, next_nonce: own }) => own === null || own <= mark)",
        was: ".filter(() => false)",
      },
    ],
  },
  {
    name: "journal-owner",
    from: 402,
    defect: "A database that was put back pays an owner again once people have lifted the halt",
    patches: [
      {
        file: "domain/journal.ts",
        is: `if (!isFree) return fault("owner_paid", { ...entry, owner }, paid);`,
        was: "",
      },
    ],
  },
  {
    name: "forged-signed",
    from: 17,
    defect: "The signer signs what a row says, although nobody owes it",
    patches: [
      {
        file: "server/signer/sign-batch.ts",
        is: "const faults = paid.length === 0 ? new Map<string, string>() : await desk.findUnowed(db, paid, chain);",
        was: "const faults = new Map<string, string>();",
      },
    ],
  },
  {
    name: "forged-halted",
    from: 17,
    defect: "A payment that nobody owes halts nothing",
    patches: [{ file: `${PAYMENTS}/signing/stop-unowed.ts`, is: "if (unowed.length === 0) return false;", was: "return false;" }],
  },
  {
    name: "journal-proof",
    from: 6,
    defect: "A payment that reverted for good is never made again, because the journal is not told",
    patches: [{ file: "server/signer/pay-again.ts", is: "if (before === undefined) return", was: "return" }],
  },
];
