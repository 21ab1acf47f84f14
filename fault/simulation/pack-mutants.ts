import type { Mutant } from "./seam.ts";

/** The rules of packed transactions that can be taken out. */
export const PACK_MUTANTS: readonly Omit<Mutant, "family">[] = [
  {
    name: "pack-status",
    from: 11,
    defect: "Each payment of a packed transaction that succeeded counts as paid, whatever its logs say",
    patches: [{ file: "server/services/transfers/end-members.ts", is: `if (end?.outcome === "paid")`, was: "if (end !== undefined)" }],
  },
  {
    name: "pack-freed",
    from: 9,
    defect: "The payments of a packed transaction that reverted are never paid alone",
    patches: [
      {
        file: "server/engines/payments/following/settle-final.ts",
        is: `if (action.type === "fail") return freed(members, action.reason);`,
        was: "",
      },
    ],
  },
  {
    name: "pack-proof",
    from: 11,
    defect: "What a packed transaction did not pay is never made alone, because its proof is asked of the whole transaction",
    patches: [{ file: "server/signer/pay-again.ts", is: "before.transfer.id === transferId", was: "before !== undefined" }],
  },
  {
    name: "pack-orphaned",
    from: 11,
    defect: "After a deep reorg a packed transaction comes back, and its payments never do",
    patches: [{ file: "server/engines/payments/deep-fork/process-orphaned.ts", is: "if (paid !== transfer)", was: "if (false)" }],
  },
  {
    name: "pack-journal",
    from: 232,
    defect: "The signing journal has a packed transaction, and not its payments: a database that was put back pays them again",
    patches: [
      {
        file: "domain/journal-content.ts",
        is: "[owner, ...members.map((member) => member.owner)];",
        was: "[owner, ...members.slice(members.length).map((member) => member.owner)];",
      },
    ],
  },
];
