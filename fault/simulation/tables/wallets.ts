import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { WalletLease } from "#db/queries/transfers/wallets.ts";
import { type HaltScope, type ScopeHalt, stopsChain } from "#domain/halt-scope.ts";
import { newId } from "#domain/ids.ts";
import { statement, type View } from "#fault/simulation/store.ts";
import { dateOf, tables, type WalletRow } from "./rows.ts";

type Wallets = typeof import("#db/queries/transfers/wallets.ts");
type Cursors = typeof import("#db/queries/transfers/chain-cursors.ts");
type Halts = typeof import("#db/queries/halts/scope-halts.ts");

const isStillHeld = ({ wallet }: WalletRow, { owner, fencingToken }: Omit<WalletLease, "walletId">) =>
  wallet.leaseOwner === owner && wallet.fencingToken === fencingToken;

/** A wallet whose lease is still valid, its row locked; undefined: another has it. */
function held(view: View, lease: WalletLease): WalletRow | undefined {
  const row = view.get(tables().wallets, lease.walletId);
  if (row === undefined || !isStillHeld(row, lease)) return undefined;
  const now = view.lock(tables().wallets, lease.walletId);
  return now !== undefined && isStillHeld(now, lease) ? now : undefined;
}

/** Whether a wallet signs new payments. */
export function pays(view: View, { wallet }: WalletRow): boolean {
  const stops = (halt: ScopeHalt) => isOnChain(view, halt.scope, wallet.chain) && (stopsChain(halt) || halt.scope.key === wallet.id);
  return wallet.state === "active" && view.list(tables().halts, ({ halt }) => halt.lift === null && stops(halt)).length === 0;
}

/** Whether it is the scope of everything, of the chain, or of one of its wallets. */
function isOnChain(view: View, { kind, key }: HaltScope, chain: string): boolean {
  return (
    kind === "all" || (kind === "chain" && key === chain) || (kind === "wallet" && view.get(tables().wallets, key)?.wallet.chain === chain)
  );
}

const newWallet = (chain: string, address: string, createdAt: Date): WalletRow => {
  const id = randomUUID();
  const plain = {
    id,
    chain,
    address,
    nextNonce: null,
    alignedHeight: null,
    leaseOwner: null,
    leaseUntil: null,
    fencingToken: 0,
    trouble: null,
  };
  return { id, leaseUntil: null, wallet: { ...plain, paused: false, state: "active", signer: "sandbox", createdAt } };
};

/** As `db/queries/transfers/wallets.ts`. */
export const walletQueries = {
  listAbandonedWallets: (db) =>
    statement(db, "list abandoned", (view) =>
      view
        .list(tables().wallets, ({ wallet }) => wallet.state === "retired" || wallet.state === "compromised")
        .map(({ wallet }) => wallet.address.toLowerCase()),
    ),
  listWalletAddresses: (db, chain) =>
    statement(db, "list wallet addresses", (view) =>
      view.list(tables().wallets, ({ wallet }) => wallet.chain === chain).map(({ wallet }) => wallet.address),
    ),
  listSequences: (db, chain) =>
    statement(db, "list sequences", (view) =>
      view
        .list(
          tables().wallets,
          ({ wallet: { state, ...wallet } }) => wallet.chain === chain && state !== "retired" && state !== "compromised",
        )
        .map(({ wallet: { id, address, nextNonce } }) => ({ id, address, nextNonce })),
    ),
  ensureWallet: (db, { chain, address, now }) =>
    statement(db, "ensure wallet", (view) => {
      const { wallets } = tables();
      view.hold(`wallets = ${chain} ${address}`);
      const [there] = view.list(wallets, ({ wallet }) => wallet.chain === chain && wallet.address === address);
      if (there !== undefined) return there.id;
      const row = newWallet(chain, address, now);
      view.put(wallets, row);
      return row.id;
    }),
  listReceivingWallets: (db, chain) =>
    statement(db, "list receiving wallets", (view) =>
      view
        .list(tables().wallets, (row) => {
          const isHeld = row.leaseUntil !== null && row.leaseUntil > view.now - 60_000;
          return row.wallet.chain === chain && pays(view, row) && row.wallet.trouble === null && isHeld;
        })
        .map(({ wallet }) => wallet.address)
        .sort(),
    ),
  holdSigningWallet: (tx, { chain, address }) =>
    statement(tx, "hold signing wallet", (view) => {
      const [row] = view.list(tables().wallets, ({ wallet }) => wallet.chain === chain && wallet.address === address);
      return row !== undefined && pays(view, row);
    }),
  leaseWallet: (db, { walletId, owner, seconds }) =>
    statement(db, "lease wallet", (view) => {
      const { wallets } = tables();
      const before = view.get(wallets, walletId);
      const isMine = (row: WalletRow | undefined) =>
        row !== undefined && (row.wallet.leaseOwner === owner || row.leaseUntil === null || row.leaseUntil < view.now);
      if (!isMine(before)) return null;
      const row = view.lock(wallets, walletId);
      if (row === undefined || !isMine(row)) return null;
      const fencingToken = row.wallet.fencingToken + (row.wallet.leaseOwner === owner ? 0 : 1);
      const leaseUntil = view.now + seconds * 1_000;
      const wallet = { ...row.wallet, leaseOwner: owner, leaseUntil: dateOf(leaseUntil), fencingToken };
      view.put(wallets, { ...row, wallet, leaseUntil });
      return wallet;
    }),
  listOthersPayers: (db, { chain, owner }) =>
    statement(db, "list others' payers", (view) =>
      view
        .list(tables().wallets, (row) => {
          const { leaseOwner, trouble, nextNonce } = row.wallet;
          const isTheirs = leaseOwner !== null && leaseOwner !== owner && row.leaseUntil !== null && row.leaseUntil > view.now;
          return row.wallet.chain === chain && isTheirs && trouble === null && nextNonce !== null && pays(view, row);
        })
        .map(({ wallet }) => wallet),
    ),
  renewWallets: (db, { walletIds, owner, seconds }) =>
    statement(db, "renew wallets", (view) => {
      const { wallets } = tables();
      for (const row of view.list(wallets, ({ id, wallet }) => walletIds.includes(id) && wallet.leaseOwner === owner))
        view.put(wallets, { ...row, leaseUntil: view.now + seconds * 1_000 });
    }),
  releaseWallets: (db, { chain, owner }) =>
    statement(db, "release wallets", (view) => {
      const { wallets } = tables();
      for (const row of view.list(wallets, ({ wallet }) => wallet.chain === chain && wallet.leaseOwner === owner))
        view.put(wallets, { ...row, leaseUntil: null, wallet: { ...row.wallet, leaseOwner: null, leaseUntil: null } });
    }),
  lockWalletLease: (tx, lease) => statement(tx, "hold wallet lease", (view) => held(view, lease) !== undefined),
  spendNonces: (tx, lease, { from, count, height }) =>
    statement(tx, `spend nonces ${from}+${count}`, (view) => {
      const row = held(view, lease);
      if (row === undefined || row.wallet.nextNonce !== from || !pays(view, row)) return false;
      view.put(tables().wallets, { ...row, wallet: { ...row.wallet, nextNonce: from + count, alignedHeight: height } });
      return true;
    }),
  moveNonce: (db, lease, { from, to, height }) =>
    statement(db, `move nonce ${from} to ${to}`, (view) => {
      const row = held(view, lease);
      if (row === undefined || row.wallet.nextNonce !== from) return false;
      view.put(tables().wallets, { ...row, wallet: { ...row.wallet, nextNonce: to, alignedHeight: height } });
      return true;
    }),
  lockWalletsOf: (tx, { kind, key }) =>
    statement(tx, "lock wallets of", (view) => {
      const isMeant = ({ id, wallet }: WalletRow) =>
        kind === "all" || (kind === "chain" && wallet.chain === key) || (kind === "wallet" && id === key);
      for (const { id } of view.list(tables().wallets, isMeant)) view.hold(`wallets ${id}`);
    }),
  setWalletTrouble: (db, walletId, trouble) =>
    statement(db, `wallet trouble: ${trouble}`, (view) => {
      const row = view.lock(tables().wallets, walletId);
      if (row !== undefined) view.put(tables().wallets, { ...row, wallet: { ...row.wallet, trouble } });
    }),
} satisfies Partial<Wallets>;

const listCursors: Cursors["listCursors"] = (db, chain, limit) =>
  statement(db, "list cursors", (view) =>
    view
      .list(tables().cursors, (row) => row.chain === chain)
      .sort((one, other) => other.height - one.height)
      .slice(0, limit)
      .map(({ height, hash }) => ({ height, hash })),
  );

/** As `db/queries/transfers/chain-cursors.ts`. */
export const cursorQueries = {
  listCursors,
  findCursor: async (db, chain) => (await listCursors(db, chain, 1))[0] ?? null,
  findCursorDownFrom: (db, chain, height) =>
    statement(db, "find cursor down from", (view) => {
      const [highest] = view
        .list(tables().cursors, (row) => row.chain === chain && row.height <= height)
        .sort((one, other) => other.height - one.height);
      return highest === undefined ? null : { height: highest.height, hash: highest.hash };
    }),
  lockCursor: (tx, chain) => statement(tx, "lock cursor", (view) => view.hold(`cursor of ${chain}`)),
  insertCursors: (tx, chain, blocks, keepFrom) =>
    statement(tx, `insert cursors to ${blocks.at(-1)?.height}`, (view) => {
      for (const { height, hash } of blocks) {
        if (view.get(tables().cursors, `${chain} ${height}`) !== undefined) throw new Error(`block ${height} was read twice`);
        view.put(tables().cursors, { id: `${chain} ${height}`, chain, height, hash });
      }
      for (const { id } of view.list(tables().cursors, (row) => row.chain === chain && row.height < keepFrom))
        view.drop(tables().cursors, id);
    }),
  dropCursorsAbove: (tx, chain, height) =>
    statement(tx, `drop cursors above ${height}`, (view) => {
      for (const { id } of view.list(tables().cursors, (row) => row.chain === chain && row.height > height))
        view.drop(tables().cursors, id);
    }),
} satisfies Partial<Cursors>;

const Unowed = z.looseObject({ unowed: z.array(z.looseObject({ transfer_id: z.string() })) });
const sameScope = (one: HaltScope, other: HaltScope) => one.kind === other.kind && one.key === other.key;

/** As `db/queries/halts/scope-halts.ts`. Nobody lifts a halt here. */
export const haltQueries = {
  insertHalt: (tx, halt, now) =>
    statement(tx, `halt ${halt.scope.kind}: ${halt.cause}`, (view) => {
      view.hold(`halts = ${halt.scope.kind} ${halt.scope.key}`);
      if (view.list(tables().halts, (row) => row.halt.lift === null && sameScope(row.halt.scope, halt.scope)).length > 0) return null;
      const made = { ...halt, id: newId("scopeHalt", now), since: now, lift: null };
      view.put(tables().halts, { id: made.id, halt: made });
      return made;
    }),
  wasHaltedFor: (tx, cause, hash) =>
    statement(
      tx,
      `was halted for ${hash}`,
      (view) => view.list(tables().halts, ({ halt }) => halt.cause === cause && halt.evidence.hash === hash).length > 0,
    ),
  listReportedUnowed: (db, transferIds) =>
    statement(db, "list reported as unowed", (view) => {
      const halts = view.list(tables().halts, ({ halt }) => halt.cause === "unowed_payment");
      const named = halts.flatMap(({ halt }) => Unowed.parse(halt.evidence).unowed.map((one) => one.transfer_id));
      return new Set(transferIds.filter((id) => named.includes(id)));
    }),
  findOpenHalts: (db, scopes) =>
    statement(db, "find open halts", (view) =>
      view
        .list(tables().halts, ({ halt }) => halt.lift === null && scopes.some((scope) => sameScope(scope, halt.scope)))
        .map(({ halt }) => halt),
    ),
  listHaltsOfChain: (db, chain) =>
    statement(db, "list halts of chain", (view) =>
      view.list(tables().halts, ({ halt }) => halt.lift === null && isOnChain(view, halt.scope, chain)).map(({ halt }) => halt),
    ),
  listStopped: (db, transferIds) =>
    statement(db, "list stopped", (view) => {
      const halts = view.list(tables().halts, ({ halt }) => halt.lift === null && halt.scope.kind === "partner");
      const stopped = new Map<string, { cause: (typeof halts)[number]["halt"]["cause"] }>();
      for (const id of transferIds) {
        const partnerId = view.get(tables().transfers, id)?.transfer.partnerId;
        const own = halts.find(({ halt }) => halt.scope.key === partnerId);
        if (own !== undefined) stopped.set(id, { cause: own.halt.cause });
      }
      return stopped;
    }),
} satisfies Partial<Halts>;
