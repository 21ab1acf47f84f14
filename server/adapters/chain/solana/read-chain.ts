import type { Address } from "@solana/kit";
import type { LapsingIntent } from "#domain/lapsing-chain.ts";
import type { ChainPoint } from "#domain/lapsing-report.ts";
import type { PriorityPolicy } from "#domain/solana-fees.ts";
import type { MintPower } from "#domain/solana-mint.ts";
import { Rejected } from "#server/ports.ts";
import { type Account, Accounts, Block, count } from "./answers.ts";
import { associatedAccount } from "./instructions.ts";
import { judgeMint, type Mint } from "./judge-mint.ts";
import type { Commitment, SolanaRpc } from "./solana-rpc.ts";

export type SolanaToken = { currency: string; address: string; decimals: number; accepts: readonly MintPower[] };
export type SolanaRules = { tokens: readonly SolanaToken[]; commitment: Commitment; priority: PriorityPolicy };
/** A node, and the rules by which it is asked. */
export type Asked = { rpc: SolanaRpc; rules: SolanaRules };

export const BASE64 = { encoding: "base64" } as const;

/** A block by its slot. @throws Unreachable where the node has none there */
export async function blockAt({ rpc }: Asked, slot: number): Promise<Block> {
  const options = { commitment: "confirmed", transactionDetails: "none", rewards: false, maxSupportedTransactionVersion: 0 };
  return await rpc.ask(Block, "getBlock", slot, options);
}

/** The newest block that counts as final. */
export async function finalBlock(asked: Asked): Promise<ChainPoint & { slot: number }> {
  const slot = await asked.rpc.ask(count, "getSlot", { commitment: asked.rules.commitment });
  const { height, at } = await blockAt(asked, slot);
  return { height, at, slot };
}

export async function accountsAt({ rpc }: Asked, addresses: readonly string[]): Promise<(Account | null)[]> {
  return (await rpc.ask(Accounts, "getMultipleAccounts", addresses, { ...BASE64, commitment: "confirmed" })).value;
}

/** The mint as it is now. @throws Rejected where no payment may be made in it */
export async function mintOf(asked: Asked, token: string): Promise<Mint> {
  const known = asked.rules.tokens.find(({ address }) => address === token);
  if (known === undefined) throw new Rejected(`the token ${token} is not configured`);
  const [account = null] = await accountsAt(asked, [token]);
  const verdict = judgeMint(account, known.accepts, known.decimals);
  if ("fault" in verdict) throw new Rejected(`${known.currency}: ${verdict.fault}`);
  return verdict.mint;
}

/** The accounts that a payment touches. `mint` null: it pays in the coin. `from`, `to`: the token accounts; null: there is none yet. */
export type Places = { mint: Mint | null; wallet: Account | null; from: Account | null; to: Account | null; touched: readonly string[] };

/** @throws Rejected where no payment may be made in the token */
export async function placesOf(asked: Asked, { sender, recipient, token }: LapsingIntent): Promise<Places> {
  if (token === null) {
    const [wallet = null] = await accountsAt(asked, [recipient]);
    return { mint: null, wallet, from: null, to: null, touched: [sender, recipient] };
  }
  const mint = await mintOf(asked, token);
  const [from, to] = await Promise.all([accountOf(sender, token, mint), accountOf(recipient, token, mint)]);
  const [wallet = null, sends = null, receives = null] = await accountsAt(asked, [recipient, from, to]);
  return { mint, wallet, from: sends, to: receives, touched: [from, to] };
}

/** Where an owner's tokens are. */
export async function accountOf(owner: string, token: string, { tokenProgram }: Mint): Promise<string> {
  return await associatedAccount(owner as Address, { mint: token as Address, tokenProgram: tokenProgram as Address });
}
