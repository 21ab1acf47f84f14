import { decimal } from "#domain/decimal.ts";
import { statement } from "#fault/simulation/store.ts";
import { business, dateOf, type SettlementRow, tables } from "./rows.ts";
import { wake } from "./wakes.ts";

type Settlements = typeof import("#db/queries/settlements/settlements.ts");
type SettlementWrites = typeof import("#db/queries/settlements/write-settlements.ts");
type Approvals = typeof import("#db/queries/settlements/settlement-approvals.ts");
type Callbacks = typeof import("#db/queries/callbacks/callbacks.ts");
type Terms = typeof import("#db/queries/rates/pair-terms.ts");

/** As `db/queries/settlements/settlements.ts`. */
export const settlementQueries = {
  lockForChange: (db, asked) =>
    statement(db, "lock settlements for a change", (view) => {
      const { settlements } = tables();
      const inOrder = [...asked].sort((one, other) => (one.id < other.id ? -1 : 1));
      const wanted = inOrder.filter(({ id, partnerId = null }) => {
        const found = view.get(settlements, id)?.settlement;
        return found !== undefined && (partnerId === null || found.partnerId === partnerId);
      });
      const now = dateOf(view.now + business.aheadMs);
      return new Map(
        wanted.flatMap(({ id, reference = null }) => {
          const settlement = view.lock(settlements, id)?.settlement;
          if (settlement === undefined) return [];
          const isTaken = ({ settlement: { partnerId, externalTxId } }: SettlementRow) =>
            reference !== null && partnerId === settlement.partnerId && externalTxId === reference;
          const referenceIsTaken = view.list(settlements, isTaken).length > 0;
          return [[id, { settlement, now, referenceIsTaken, hasUndelivered: false, openWait: null }]];
        }),
      );
    }),
  lockSettlements: (db, asked) =>
    statement(db, "lock settlements", (view) =>
      asked
        .map(({ id }) => id)
        .sort()
        .flatMap((id) => view.lock(tables().settlements, id)?.settlement ?? []),
    ),
  findSettlement: (db, id) => statement(db, "find settlement", (view) => view.get(tables().settlements, id)?.settlement ?? null),
  findSettlementAsShown: (db, id) =>
    statement(db, "find settlement", (view) => {
      const settlement = view.get(tables().settlements, id)?.settlement;
      return settlement === undefined ? null : { settlement, waiting: null, hasUndelivered: false };
    }),
} satisfies Partial<Settlements>;

/** As `db/queries/settlements/write-settlements.ts`. */
export const settlementWrites = {
  saveSettlements: (db, changed) =>
    statement(db, `save settlements ${changed.map(({ settlement }) => settlement.status)}`, (view) => {
      for (const { settlement } of changed) view.put(tables().settlements, { id: settlement.id, settlement });
    }),
  insertQuotes: async () => {},
} satisfies Partial<SettlementWrites>;

export const approvalQueries = {
  insertApprovals: (db, approved, { decider }) =>
    statement(db, "insert approvals", (view) => {
      const added = approved.filter(({ id: settlementId }) => {
        const id = `${settlementId} ${decider.id}`;
        view.hold(`approvals ${id}`);
        if (view.get(tables().approvals, id) !== undefined) return false;
        view.put(tables().approvals, { id, settlementId });
        return true;
      });
      return added.length;
    }),
  // No policy: the terms alone ask, and for one.
  listDemands: async () => new Map(),
  listApprovalRules: async (_, ids) =>
    new Map(ids.map((id) => [id, { maximumSourceMinor: 1_000n, twoApprovalsAboveMinor: null, batchMaximumSourceMinor: null }])),
} satisfies Partial<Approvals>;

export const callbackQueries = {
  insertCallbacks: async (db, added, now) => {
    if (added.length === 0) return;
    const dueAt = now.getTime() - dateOf(0).getTime();
    await statement(db, "insert callbacks", (view) => {
      for (const { id, partnerId, subjectId, queue, url, body, event } of added) {
        const fresh = { series: 1, nextNumber: 1, state: "pending", dueAt, leaseUntil: null, leaseToken: null } as const;
        view.put(tables().callbacks, { id, partnerId, subjectId, queue, url, body, event, ...fresh });
      }
      view.whenCommitted(() => wake("callbacks"));
    });
  },
  // What events show besides their object.
  listCallbacksOf: async () => [],
  listCallbacksById: async () => [],
} satisfies Partial<Callbacks>;

export const termsQueries = {
  findPricedTerms: (db, { partnerId: _, ...pair }) =>
    statement(db, "find terms", (view) => {
      const now = dateOf(view.now + business.aheadMs);
      const fees = {
        platformFeeBase: 0n,
        minimumSourceMinor: 1n,
        maximumSourceMinor: 1_000n,
        twoApprovalsAboveMinor: null,
        batchMaximumSourceMinor: null,
      };
      const terms = {
        ...pair,
        ...fees,
        id: "pt_2",
        partnerId: null,
        version: 2,
        enabled: true,
        spreadBps: 0,
        quoteLifetimeSeconds: 2,
        approvedLifetimeSeconds: 1,
      };
      return { terms, rate: { midRate: decimal("0.0088"), source: "fixed", asOf: now }, now } as Awaited<
        ReturnType<Terms["findPricedTerms"]>
      >;
    }),
} satisfies Partial<Terms>;
