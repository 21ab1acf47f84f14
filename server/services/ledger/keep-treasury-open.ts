import { listOpenedTreasuries } from "#db/queries/ledger/ledger-balances.ts";
import { exactText } from "#domain/money.ts";
import type { Uses } from "#server/context.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { openTreasury } from "./book-treasury.ts";

/**
 * Opens the treasury's books as soon as a chain's wallets are known and hold something. Tokens whose books are open are not looked at,
 * and a chain all of whose are is not asked again by this process.
 */
export function keepTreasuryOpen(ctx: Uses<"db" | "evm" | "log">): { run(): Promise<void> } {
  const open = new Set<string>();
  return {
    async run() {
      for (const chain of ctx.evm.list()) {
        if (open.has(chain.chain)) continue;
        const answering = await findAnsweringNode(chain);
        if (answering === null) continue;
        for (const { chain: name, currency, amountBase, decimals } of await openTreasury(ctx, answering)) {
          ctx.log.info({ chain: name, currency, units: exactText(amountBase, decimals) }, "the treasury's books are open");
        }
        const currencies = chain.tokens.map(({ currency }) => currency);
        if ((await listOpenedTreasuries(ctx.db, chain.chain, currencies)).length === currencies.length) open.add(chain.chain);
      }
    },
  };
}
