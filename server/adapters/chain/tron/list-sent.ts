import { TRANSFER_TOPIC, tokenMoveIn } from "#domain/evm-intent.ts";
import type { SentPayment, SentQuery } from "#domain/lapsing-chain.ts";
import { hexOfTron, tronOfHex } from "#domain/tron-address.ts";
import { type EventHistory, type EventLog, Logs, listEvents } from "#server/adapters/chain/list-events.ts";
import type { TronHttp } from "./http.ts";
import { Block, MaybeBlock, MaybeTransaction } from "./node-answers.ts";
import { decodeRaw } from "./transaction.ts";

/** What a wallet has paid since a time, by the events of every token that the settings name. Only the node's JSON-RPC finds them by their sender. */
export async function listSent(http: TronHttp, tokens: readonly string[], { wallet, since, isKnown }: SentQuery): Promise<SentPayment[]> {
  const history: EventHistory = {
    name: http.name,
    head: () => http.ask(Block, "getnowblock"),
    blockAt: (num) => http.ask(MaybeBlock, "getblockbynum", { num }),
    logs: (filter) => http.call(Logs, "eth_getLogs", filter),
  };
  const events = await listEvents(history, { tokens: tokens.map(hexOfTron), wallet: hexOfTron(wallet), topics: [TRANSFER_TOPIC], since });
  const sent: SentPayment[] = [];
  for (const [hash, own] of Map.groupBy(events, ({ id }) => id)) {
    const [id, [first]] = [hash.slice(2), own];
    const moves = own.flatMap(({ log }) => movesOf(log));
    if (first === undefined || moves.length === 0 || isKnown(id)) continue;
    sent.push({ id, height: first.height, at: first.at, memo: await memoOf(http, id), moves, feeToken: null });
  }
  return sent;
}

function movesOf(log: EventLog["log"]) {
  const move = tokenMoveIn(log);
  if (move === null) return [];
  const { from, to, amountBase } = move;
  return [{ token: tronOfHex(log.address.slice(2)), sender: tronOfHex(from), recipient: tronOfHex(to), amountBase }];
}

async function memoOf(http: TronHttp, id: string): Promise<string | null> {
  const transaction = await http.ask(MaybeTransaction, "gettransactionbyid", { value: id });
  if (transaction === null) return null;
  try {
    return decodeRaw(Buffer.from(transaction.raw_data_hex, "hex")).memo;
  } catch {
    // Another transaction than the service makes.
    return null;
  }
}
