import type { Mutant } from "./seam.ts";

const REPORTS = "domain/lapsing-report.ts";

/** Each rule by which a payment that lapses is paid once, taken out. */
export const LAPSING_MUTANTS: readonly Omit<Mutant, "family">[] = [
  {
    name: "lapse-by-two-nodes",
    from: 124,
    defect: "One node that hides a payment has it signed again",
    patches: [{ file: REPORTS, is: "if (proofs >= Math.min(TO_PROVE, nodes.configured))", was: "if (proofs > 0)" }],
  },
  {
    name: "lapse-is-proven",
    defect: "A payment that was sent, and is in no block yet, is signed again",
    patches: [{ file: REPORTS, is: "if (proofs >= Math.min(", was: 'if (attempt.state === "sent" || proofs >= Math.min(' }],
  },
  {
    name: "lapse-by-final-chain",
    from: 2_100,
    seed: "7",
    defect: "A payment is signed again although a reorg may still include it",
    patches: [{ file: REPORTS, is: " && isPast(expiry, report.history.to)", was: "" }],
  },
  {
    name: "lapse-by-complete-history",
    from: 245,
    defect: "A node that has forgotten a payment has it signed again",
    patches: [{ file: REPORTS, is: "report.history.from.height <= after + 1 && ", was: "" }],
  },
  {
    name: "lapse-by-the-nodes-own-word",
    defect: "A node that names an early expiry has a payment signed again",
    patches: [{ file: REPORTS, is: "report.history === null || !report.isExpired", was: "report.history === null" }],
  },
  {
    name: "silence-proves-nothing",
    defect: "A node that does not answer counts as one that knows nothing",
    patches: [
      { file: REPORTS, is: 'if (reports.length === 0) return wait("silent");', was: 'if (reports.length === 0) return { next: "lapse" };' },
    ],
  },
  {
    name: "failure-by-two-nodes",
    defect: "One node that reports a failure has the payment reported as failed",
    patches: [{ file: REPORTS, is: "isPaid ? nodes.toPay : TO_PROVE", was: "isPaid ? nodes.toPay : 1" }],
  },
  {
    name: "payment-by-two-nodes",
    defect: "One node that reports a large payment has it reported as paid",
    patches: [{ file: REPORTS, is: "isPaid ? nodes.toPay : TO_PROVE", was: "isPaid ? 1 : TO_PROVE" }],
  },
  {
    name: "what-is-owed-moved",
    defect: "A token that moved less counts as paid",
    patches: [{ file: REPORTS, is: "isPaid ? !paysOwed(first, attempt.owed) : first.moves.length > 0", was: "false" }],
  },
  {
    name: "own-chain-before-the-end",
    from: 1_616,
    defect: "A node of another chain, of which nothing is known there, has a payment signed again",
    patches: [{ file: "server/services/ledger/ask-lapsing-nodes.ts", is: "mayEnd && ", was: "false && " }],
  },
  {
    name: "stored-before-sent",
    defect: "Bytes go out before they are stored",
    patches: [
      {
        file: "server/engines/lapsing/signing/make-payment.ts",
        is: '  engine.step("signed", transfer.id);\n',
        was: '  await payment.node.send("signed ".concat(unsigned.bytes));\n',
      },
    ],
  },
  {
    name: "refusal-by-all-nodes",
    defect: "One node that refuses a payment has it fail",
    patches: [{ file: "server/engines/lapsing/signing/try-out.ts", is: "others.length + 1 === chain.nodes.length", was: "true" }],
  },
  {
    name: "budget-of-what-is-stored",
    defect: "Two payments are promised the same balance",
    patches: [
      {
        file: "server/engines/lapsing/signing/wallet-budget.ts",
        is: "[...before, ...now]",
        was: "[...before, ...now].slice(0, before.length)",
      },
    ],
  },
  {
    name: "budget-of-an-old-balance",
    from: 3_478,
    defect: "A node that is behind shows a balance that is spent already",
    patches: [
      { file: "server/engines/lapsing/signing/make-payment.ts", is: "above: budget.height", was: "above: 1e9" },
      { file: "server/engines/lapsing/signing/wallet-budget.ts", is: "above: await height()", was: "above: 1e9" },
    ],
  },
  {
    name: "one-attempt-in-the-journal",
    defect: "After the database was put back, an owner is paid again",
    patches: [
      {
        file: "domain/lapsing-journal.ts",
        is: "const other = this.attemptFor(owner);",
        was: "const other = null as LapsingEntry | null;",
      },
      { file: "server/signer/lapsing/sign-lapsing.ts", is: "if (before !== null) {", was: "if (before !== null && Math.random() > 2) {" },
    ],
  },
  {
    name: "each-of-several-is-paid",
    from: 919,
    defect: "A transaction of several payments of which one moved less counts as paid",
    patches: [{ file: REPORTS, is: "return owed.every((one) => {", was: "return owed.some((one) => {" }],
  },
  {
    name: "each-of-several-in-the-journal",
    defect: "After the database was put back, a payment that was made together with others is made again",
    patches: [
      {
        file: "domain/lapsing-journal.ts",
        is: "for (const owner of ownersOf(entry)) this.#byOwner",
        was: "for (const owner of [entry.owner]) this.#byOwner",
      },
    ],
  },
  {
    name: "several-are-freed",
    defect: "The payments of a transaction that lapsed are never made alone",
    patches: [
      {
        file: "server/engines/lapsing/following/apply-verdict.ts",
        is: 'if (action === "lapse") return freed(members, PACK_LAPSED);',
        was: "",
      },
    ],
  },
  {
    name: "lapse-proven-by-the-signer",
    defect: "After the database was put back, the signer believes that what it signed came to nothing",
    patches: [{ file: "server/signer/lapsing/prove-ended.ts", is: 'if (verdict.next === "lapse")', was: "if (verdict.next)" }],
  },
  {
    name: "halted-when-behind",
    defect: "A database that was put back pays on, and its chain is not halted",
    patches: [{ file: "server/engines/lapsing/compare-journal.ts", is: "newest === null || ", was: "newest !== undefined || " }],
  },
];
