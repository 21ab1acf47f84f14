import { isOpenLapsing } from "#domain/lapsing.ts";
import { statement, UniqueViolation, type View } from "#fault/simulation/store.ts";
import { dateOf, type LapsingAttemptRow, tables } from "./rows.ts";
import { pays } from "./wallets.ts";

type Module = typeof import("#db/queries/transfers/lapsing-attempts.ts");

const isOnChain = (view: View, row: LapsingAttemptRow, chain: string) =>
  view.get(tables().wallets, row.attempt.walletId)?.wallet.chain === chain;

const openOn = (view: View, chain: string) =>
  view.list(tables().lapsingAttempts, (row) => isOpenLapsing(row.attempt.state) && isOnChain(view, row, chain));

/** As `db/queries/transfers/lapsing-attempts.ts`, over the in-memory tables. */
export const lapsingQueries = {
  insertLapsingAttempt: (tx, attempt) =>
    statement(tx, `store ${attempt.id}`, (view) => {
      if (view.get(tables().lapsingAttempts, attempt.id) !== undefined) throw new UniqueViolation(`lapsing_attempts: ${attempt.id}`);
      const number = view.list(tables().lapsingAttempts, (row) => row.attempt.transferId === attempt.transferId).length + 1;
      const fresh = { number, state: "stored" as const, sentAt: null, blockNumber: null, blockHash: null, endedAt: null, used: null };
      const row = { ...attempt, ...fresh, lookAt: dateOf(view.now) };
      view.put(tables().lapsingAttempts, { id: attempt.id, lookAt: view.now, attempt: row });
    }),
  takeDueLapsing: (db, chain, { limit, againInMs }) =>
    statement(db, "take due attempts", (view) => {
      const { lapsingAttempts, transfers } = tables();
      const due = openOn(view, chain).filter((row) => row.lookAt <= view.now && view.isFree(lapsingAttempts, row.id));
      const taken = due.sort((one, other) => one.lookAt - other.lookAt).slice(0, limit);
      for (const row of taken) view.put(lapsingAttempts, { ...row, lookAt: view.now + againInMs });
      return taken.flatMap(({ attempt }) => {
        const transfer = view.get(transfers, attempt.transferId)?.transfer;
        return transfer === undefined ? [] : [{ attempt, transfer }];
      });
    }),
  hasLapsingAttempt: (db, id) => statement(db, `has attempt ${id}`, (view) => view.get(tables().lapsingAttempts, id) !== undefined),
  listLapsingAfter: (db, after, limit) =>
    statement(db, "list attempts", (view) =>
      view
        .list(tables().lapsingAttempts, ({ id }) => id > after)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit)
        .flatMap(({ attempt }) => {
          const transfer = view.get(tables().transfers, attempt.transferId)?.transfer;
          const walletAddress = view.get(tables().wallets, attempt.walletId)?.wallet.address;
          return transfer === undefined || walletAddress === undefined ? [] : [{ attempt, transfer, walletAddress }];
        }),
    ),
  lockLapsingAttempt: (tx, id) => statement(tx, "lock attempt", (view) => view.lock(tables().lapsingAttempts, id)?.attempt ?? null),
  saveLapsingAttempt: (tx, { id, state, sentAt, blockNumber, blockHash, endedAt, used = null }) =>
    statement(tx, `save attempt ${id} ${state}`, (view) => {
      const row = view.lock(tables().lapsingAttempts, id);
      if (row === undefined) return;
      const attempt = { ...row.attempt, state, sentAt, blockNumber, blockHash, endedAt, used };
      view.put(tables().lapsingAttempts, { ...row, attempt });
    }),
  listLapsingClaims: (db, chain, { wallet, above }) =>
    statement(db, "list claims", (view) =>
      view
        .list(tables().lapsingAttempts, (row) => {
          const { state, blockNumber, walletId } = row.attempt;
          const isOurs = isOnChain(view, row, chain) && view.get(tables().wallets, walletId)?.wallet.address === wallet;
          return isOurs && (isOpenLapsing(state) || (blockNumber !== null && blockNumber > above));
        })
        .flatMap(({ attempt: { id, transferId, feeToken, feeAtMost } }) => {
          const transfer = view.get(tables().transfers, transferId)?.transfer;
          return transfer === undefined ? [] : [{ id, token: transfer.tokenAddress, amountBase: transfer.amountBase, feeToken, feeAtMost }];
        }),
    ),
  lockPayingWallet: (tx, chain, address) =>
    statement(tx, "lock paying wallet", (view) => {
      const [found] = view.list(tables().wallets, ({ wallet }) => wallet.chain === chain && wallet.address === address);
      const row = found === undefined ? undefined : view.lock(tables().wallets, found.id);
      return row !== undefined && pays(view, row) ? row.id : null;
    }),
  hasOpenLapsing: (db, chain) => statement(db, "has open attempts", (view) => openOn(view, chain).length > 0),
} satisfies Partial<Module>;
