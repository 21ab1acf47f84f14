import type { SentPayment, SentQuery } from "#domain/lapsing-chain.ts";
import { Unreachable } from "#server/ports.ts";
import { count, Landed, Signatures } from "./answers.ts";
import { memosIn, readWire, toBytes } from "./payment-bytes.ts";
import { type Asked, BASE64, blockAt } from "./read-chain.ts";
import { readLanded } from "./read-landed.ts";

/** What one answer names at most. */
const PAGE = 1_000;
const CONFIRMED = { commitment: "confirmed" } as const;

/** What a wallet has paid since a time: its signature is needed for that, so the cluster lists it by the wallet's address. */
export async function listSent(asked: Asked, { wallet, since, isKnown }: SentQuery): Promise<SentPayment[]> {
  const { rpc } = asked;
  const oldest = await blockAt(asked, await rpc.ask(count, "getFirstAvailableBlock"));
  if (oldest.height > 0 && oldest.at > since) throw new Unreachable(`${rpc.name} has no blocks from before ${oldest.at.toISOString()}`);
  const unknown = (await signaturesSince(asked, wallet, since)).filter(({ signature, err }) => err === null && !isKnown(signature));
  const sent: SentPayment[] = [];
  for (const { signature } of unknown.toReversed()) {
    const payment = await readSent(asked, wallet, signature);
    if (payment !== null) sent.push(payment);
  }
  return sent;
}

async function signaturesSince({ rpc }: Asked, wallet: string, since: Date) {
  const found: (typeof Signatures)["_output"] = [];
  for (let before: string | undefined; ; before = found.at(-1)?.signature) {
    const page = await rpc.ask(Signatures, "getSignaturesForAddress", wallet, { ...CONFIRMED, limit: PAGE, ...(before && { before }) });
    const recent = page.filter(({ blockTime }) => blockTime == null || blockTime * 1_000 >= since.getTime());
    found.push(...recent);
    if (page.length < PAGE || recent.length < page.length) return found;
  }
}

async function readSent(asked: Asked, wallet: string, id: string): Promise<SentPayment | null> {
  const options = { ...BASE64, ...CONFIRMED, maxSupportedTransactionVersion: 0 };
  const landed = await asked.rpc.ask(Landed.nullable(), "getTransaction", id, options);
  if (landed === null) throw new Unreachable(`${asked.rpc.name} names ${id}, and does not show it`);
  const { moves } = readLanded(landed);
  const own = moves.filter(({ sender, recipient }) => sender === wallet && recipient !== wallet);
  if (own.length === 0) return null;
  const { height, at } = await blockAt(asked, landed.slot);
  return { id, height, at, moves: own, feeToken: null, memo: memoOf(landed) };
}

/** Of several memos nobody could say which is meant. */
function memoOf({ transaction }: Landed): string | null {
  const [memo, ...others] = memosIn(toBytes(readWire(Buffer.from(transaction).toString("base64"))));
  return others.length > 0 ? null : (memo ?? null);
}
