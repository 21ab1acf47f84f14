import { getCompiledTransactionMessageDecoder } from "@solana/kit";
import type { LapsingFee, LapsingTokenMove } from "#domain/lapsing-report.ts";
import type { Landed } from "./answers.ts";
import { readWire } from "./payment-bytes.ts";

/** `TransferChecked` of both token programs, and which of its accounts receives. */
const [TRANSFER_CHECKED, TO_AT] = [12, 2];

type TokenBalances = Landed["meta"]["preTokenBalances"];

/**
 * What a transaction in a block moved, and what it cost, by the balances before and after: that holds whatever programs did. The fee is all that
 * the payer lost of the coin and no wallet received: the cluster's fee, and the rent that new token accounts hold. `others`: token accounts that were there, and are not the payer's.
 */
export function readLanded({ transaction, meta }: Landed): { fee: LapsingFee; moves: LapsingTokenMove[]; others: string[] } {
  const { messageBytes } = readWire(Buffer.from(transaction).toString("base64"));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const { staticAccounts: keys } = message;
  const instructions = "instructions" in message ? message.instructions : [];
  const payer = keys[0] ?? "";
  const holdings = new Set([...meta.preTokenBalances, ...meta.postTokenBalances].map(({ accountIndex }) => accountIndex));
  const gained = keys.map((key, index) => ({ key, index, amountBase: (meta.postBalances[index] ?? 0n) - (meta.preBalances[index] ?? 0n) }));
  const coin = gained.filter(({ index, amountBase }) => index > 0 && amountBase > 0n && !holdings.has(index));
  const moves = coin.map(({ key, amountBase }) => ({ token: null, sender: payer, recipient: key, amountBase }));
  const rent = gained
    .filter(({ index, amountBase }) => amountBase > 0n && holdings.has(index))
    .reduce((sum, { amountBase }) => sum + amountBase, 0n);
  const others = meta.preTokenBalances.filter(({ owner }) => owner !== payer).flatMap(({ accountIndex }) => keys[accountIndex] ?? []);
  return {
    fee: { token: null, amountBase: meta.fee + rent },
    moves: [...moves, ...placed(tokenMoves(meta.preTokenBalances, meta.postTokenBalances), meta.postTokenBalances, instructions)],
    others,
  };
}

type Instructions = readonly { accountIndices?: readonly number[]; data?: ArrayLike<number> }[];

/** Each move with the place of the instruction that made it, where one did. */
function placed(moves: readonly LapsingTokenMove[], after: TokenBalances, instructions: Instructions): LapsingTokenMove[] {
  const places = new Map(
    instructions.flatMap(({ accountIndices, data }, place) => {
      const to = data?.[0] === TRANSFER_CHECKED ? accountIndices?.[TO_AT] : undefined;
      const holding = to === undefined ? undefined : after.find(({ accountIndex }) => accountIndex === to);
      return holding === undefined ? [] : [[`${holding.mint} ${holding.owner}`, place] as const];
    }),
  );
  return moves.map((move) => ({ ...move, place: places.get(`${move.token} ${move.recipient}`) }));
}

/** Each wallet that has more of a token received it from the one that has less; of several, from the one that lost most. */
function tokenMoves(before: TokenBalances, after: TokenBalances): LapsingTokenMove[] {
  const changes = new Map<string, { token: string; owner: string; change: bigint }>();
  const add = (sign: bigint, { mint, owner, uiTokenAmount }: TokenBalances[number]) => {
    const place = `${mint} ${owner}`;
    const entry = changes.get(place) ?? { token: mint, owner, change: 0n };
    changes.set(place, { ...entry, change: entry.change + sign * uiTokenAmount.amount });
  };
  for (const balance of before) add(-1n, balance);
  for (const balance of after) add(1n, balance);
  const all = [...changes.values()];
  return all
    .filter(({ change }) => change > 0n)
    .map(({ token, owner, change }) => {
      const lost = all
        .filter((other) => other.token === token && other.change < 0n)
        .toSorted((one, other) => Number(one.change - other.change));
      return { token, sender: lost[0]?.owner ?? "", recipient: owner, amountBase: change };
    });
}
