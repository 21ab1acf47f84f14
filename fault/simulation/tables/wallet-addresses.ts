import { statement } from "#fault/simulation/store.ts";
import { tables } from "./rows.ts";
import { pays } from "./wallets.ts";

type Module = typeof import("#db/queries/transfers/wallet-addresses.ts");

/** As `db/queries/transfers/wallet-addresses.ts`. */
export const walletAddressQueries = {
  listPayingAddresses: (db, chain) =>
    statement(db, "list paying wallets", (view) =>
      view.list(tables().wallets, (row) => row.wallet.chain === chain && pays(view, row)).map(({ wallet }) => wallet.address),
    ),
  findWalletId: (db, chain, address) =>
    statement(
      db,
      "find wallet",
      (view) => view.list(tables().wallets, ({ wallet }) => wallet.chain === chain && wallet.address === address)[0]?.id ?? null,
    ),
} satisfies Partial<Module>;
