import { type LapsingClaim, listLapsingClaims } from "#db/queries/transfers/lapsing-attempts.ts";
import type { LapsingNode } from "#domain/lapsing-chain.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";

/**
 * What a wallet held as of a final height or later, and what could still leave it above that height, by the attempts that were open before it
 * was read.
 */
export type WalletBudget = { height: number; balances: ReadonlyMap<string | null, bigint>; before: readonly LapsingClaim[] };

/** The budget of a wallet for some tokens. */
export type Budgets = (wallet: string, tokens: readonly (string | null)[]) => Promise<WalletBudget>;

/**
 * Reads each balance once a pass. It may be an old one, so what has ended above its height counts as well. The attempts are
 * read first: what ends in between is then counted twice, never not at all.
 */
export function openBudgets({ engine, chain }: LapsingPass, node: LapsingNode): Budgets {
  const height = once(async () => (await node.finalPoint()).height);
  const claims = byKey(async (wallet) => await listLapsingClaims(engine.ctx.db, chain.chain, { wallet, above: await height() }));
  const balances = byKey(async (key) => {
    const [wallet = "", token = ""] = key.split(" ");
    return await node.balance(wallet, token === "" ? null : token, await height());
  });
  return async (wallet, tokens) => {
    const before = await claims(wallet);
    const read = await Promise.all(tokens.map(async (token) => [token, await balances(`${wallet} ${token ?? ""}`)] as const));
    return { height: await height(), balances: new Map(read), before };
  };
}

function byKey<Value>(ask: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const asked = new Map<string, Promise<Value>>();
  return (key) => {
    const answer = asked.get(key) ?? ask(key);
    asked.set(key, answer);
    return answer;
  };
}

function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  const asked = byKey(ask);
  return () => asked("");
}

/** What is wanted, by token: the amount, and what the chain may take for it. */
export type Wanted = Omit<LapsingClaim, "id">;

/**
 * Whether a wallet can pay, after everything that was open before its balance was read, and everything that is now: what others stored
 * since. @returns the token of which it has too little; undefined: it can pay
 */
export function findShortage({ balances, before }: WalletBudget, now: readonly LapsingClaim[], wanted: Wanted): string | null | undefined {
  const open = new Map([...before, ...now].map((claim) => [claim.id, claim]));
  return [...balances].find(([token, balance]) => {
    const taken = [...open.values(), wanted].reduce((sum, claim) => sum + takenBy(claim, token), 0n);
    return taken > balance;
  })?.[0];
}

function takenBy({ token, amountBase, feeToken, feeAtMost }: Wanted, of: string | null): bigint {
  return (token === of ? amountBase : 0n) + (feeToken === of ? feeAtMost : 0n);
}
