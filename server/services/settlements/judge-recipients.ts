import { findDestination, listBatchDestinations } from "#db/queries/screening/destinations.ts";
import { isId } from "#domain/ids.ts";
import type { LapsingNode } from "#domain/lapsing-chain.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Destination } from "#domain/screening.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import { recallDestination } from "#server/services/screening/known-destinations.ts";

/** For all nodes together. Without an answer by then nothing is known against a recipient; the worker asks again before it signs. */
const PATIENCE_MS = 2_000;

type Quoting = { chain: string; destinationCurrency: string; walletAddress: string };

/**
 * Why the chain would not let these recipients be paid, one sentence or null for each, where its nodes can say so: a mint, a frozen account.
 * It asks over the network, so it belongs before any transaction. What is malformed is not asked about.
 */
export async function judgeQuoted(ctx: Uses<"chains" | "lapsing">, quoting: readonly Quoting[]): Promise<(string | null)[]> {
  if (ctx.lapsing.list().length === 0) return quoting.map(() => null);
  return await judge(
    ctx,
    quoting.map((each) => destinationOf(ctx, each)),
  );
}

/** Items of a batch with what speaks against their recipients. */
export async function withRecipientFaults<Item extends Quoting>(
  ctx: Uses<"chains" | "lapsing">,
  items: readonly Item[],
): Promise<(Item & { recipientFault: string | null })[]> {
  const faults = await judgeQuoted(ctx, items);
  return items.map((item, place) => ({ ...item, recipientFault: faults[place] ?? null }));
}

/** The same of a partner's settlement before its confirmation. */
export async function judgeToConfirm(
  ctx: Uses<"db" | "lapsing">,
  { id, partnerId }: { id: string; partnerId: string },
): Promise<string | null> {
  if (ctx.lapsing.list().length === 0 || !isId("settlement", id)) return null;
  const destination = recallDestination(id, partnerId) ?? (await inTime(findDestination(ctx.db, id, partnerId)));
  const [fault = null] = await judge(ctx, [destination]);
  return fault;
}

/** The same of the items of a batch, by their ids: those that cannot be paid. */
export async function judgeBatch(
  ctx: Uses<"db" | "lapsing">,
  { id, partnerId }: { id: string; partnerId: string },
): Promise<ReadonlyMap<string, string>> {
  if (ctx.lapsing.list().length === 0 || !isId("batch", id)) return new Map();
  const destinations = [...((await inTime(listBatchDestinations(ctx.db, id, partnerId))) ?? [])];
  const faults = await judge(
    ctx,
    destinations.map(([, destination]) => destination),
  );
  return new Map(
    destinations.flatMap(([itemId], place) => {
      const fault = faults[place] ?? null;
      return fault === null ? [] : [[itemId, fault] as const];
    }),
  );
}

/** Null: nothing is paid so, or the address has a fault of its own. */
function destinationOf({ chains }: Uses<"chains">, { chain, destinationCurrency, walletAddress: address }: Quoting): Destination | null {
  const token = chains.find(chain)?.tokens.find(({ currency }) => currency === destinationCurrency);
  if (token === undefined) return null;
  try {
    checkWalletAddress({ chain, address, refused: [] });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
  return { chain, tokenAddress: token.address, address };
}

async function judge({ lapsing }: Uses<"lapsing">, destinations: readonly (Destination | null)[]): Promise<(string | null)[]> {
  const faults = new Map<string, string | null>();
  const known = destinations.filter((one) => one !== null);
  const places = new Map(known.map(({ chain, tokenAddress }) => [`${chain} ${tokenAddress}`, { chain, tokenAddress }]));
  await Promise.all(
    [...places].map(async ([place, { chain, tokenAddress }]) => {
      const here = known.filter((one) => one.chain === chain && one.tokenAddress === tokenAddress);
      const recipients = [...new Set(here.map(({ address }) => address))];
      const answers = await inTime(ask(lapsing.find(chain)?.nodes ?? [], recipients, tokenAddress));
      for (const [at, address] of recipients.entries()) faults.set(`${place} ${address}`, answers?.[at] ?? null);
    }),
  );
  return destinations.map((one) => (one === null ? null : (faults.get(`${one.chain} ${one.tokenAddress} ${one.address}`) ?? null)));
}

/** By the first node that answers. A token that is not accepted is nothing that another recipient would change. */
async function ask(nodes: readonly LapsingNode[], recipients: readonly string[], token: string | null): Promise<(string | null)[] | null> {
  const asked = nodes.flatMap((node) => (node.judgeRecipients === undefined ? [] : [node.judgeRecipients(recipients, token)]));
  return asked.length === 0 ? null : await Promise.any(asked);
}

/** Null where it fails or takes too long. */
async function inTime<Found>(reading: Promise<Found>): Promise<Found | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return await Promise.race([reading.catch(() => null), patience]).finally(() => clearTimeout(timer));
}
