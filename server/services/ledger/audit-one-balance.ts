import type { RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { powerOfTen } from "#domain/decimal.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Uses } from "#server/context.ts";
import { type AnsweringChain, finalHeightOf } from "./answering-chain.ts";
import { Findings } from "./audit-report.ts";

/**
 * A balance that the chain shows as its coin and as a token is in the books once: no configured token equals the coin at every wallet.
 * Whole units prove nothing, since two balances may agree by chance.
 */
export async function auditOneBalance(ctx: Uses<"db">, chain: AnsweringChain): Promise<RuleOutcome> {
  const findings = new Findings();
  const { info, node } = chain;
  const wallets = await listWalletAddresses(ctx.db, info.chain);
  const height = await finalHeightOf(chain);
  const coins = await Promise.all(wallets.map((wallet) => node.balance(wallet, null, height)));
  const unit = powerOfTen(info.native.decimals);
  for (const token of info.tokens.filter(({ address }) => address !== null)) {
    const shown = coins.map((coin) => asToken(coin, info.native.decimals, token));
    const held = await Promise.all(wallets.map((wallet) => node.balance(wallet, token.address, height)));
    const isCoin = coins.some((coin) => coin % unit !== 0n) && held.every((amount, index) => amount === shown[index]);
    const fault = `${token.currency} at ${token.address} is the balance of the coin ${info.native.currency}, counted a second time`;
    findings.check(`${info.chain} ${token.currency}`, isCoin ? [fault] : [], info.chain);
  }
  return findings.outcome("one_balance_counted_once", "a balance that a chain shows as its coin and as a token is in the books once");
}

function asToken(coin: bigint, decimals: number, token: TokenInfo): bigint {
  return decimals >= token.decimals ? coin / powerOfTen(decimals - token.decimals) : coin * powerOfTen(token.decimals - decimals);
}
