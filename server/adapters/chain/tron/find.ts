import { tokenMoveIn } from "#domain/evm-intent.ts";
import type { LookUp } from "#domain/lapsing-chain.ts";
import { type ChainPoint, isPast, type LapsingEnd, type LapsingReport, type MeteredUse } from "#domain/lapsing-report.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import { Unreachable } from "#server/ports.ts";
import { explainTokenRevert } from "./explain-revert.ts";
import type { TronHttp } from "./http.ts";
import { Block, Blocks, type Info, MaybeBlock, MaybeInfo } from "./node-answers.ts";
import { decodeRaw } from "./transaction.ts";

/** Blocks in one question, each with all its transactions. */
const BLOCKS_AT_ONCE = 10;

/** What a node knows of a transaction. @throws Unreachable, also where its answers contradict each other */
export async function find(http: TronHttp, attempt: LookUp): Promise<LapsingReport> {
  // The newest solidified block first: what is absent afterwards is in no block up to there.
  const final = await http.ask(Block, "getnowblock", {}, "solid");
  const solid = await http.ask(MaybeInfo, "gettransactioninfobyid", { value: attempt.id }, "solid");
  if (solid !== null) return { kind: "final", ...(await endOf(http, attempt, solid)) };
  const newest = await http.ask(MaybeInfo, "gettransactioninfobyid", { value: attempt.id });
  if (newest !== null) {
    const block = await blockWith(http, attempt.id, newest.blockNumber, "newest");
    return { kind: "seen", height: block.height, blockHash: block.hash };
  }
  const isExpired = isPast(attempt.expiry, final);
  const history = isExpired ? await searchBlocks(http, attempt, final) : await shownHistory(http, attempt, final);
  return { kind: "absent", history, isExpired };
}

/** Before the expiry the word of the node's index is enough: nothing follows from it but another send. */
async function shownHistory(http: TronHttp, { after }: LookUp, final: Block): Promise<{ from: ChainPoint; to: ChainPoint } | null> {
  if (final.height <= after) return null;
  const from = await http.ask(MaybeBlock, "getblockbynum", { num: after + 1 }, "solid");
  return from === null ? null : { from: pointOf(from), to: pointOf(final) };
}

/**
 * Looks into every block in which the bytes could be, from the first one after they were prepared to the first one past their expiry. The
 * blocks must follow one another by their hashes. So an index that has lost the id proves nothing, and neither do two machines behind one
 * address. null: the node does not have all of these blocks.
 */
async function searchBlocks(
  http: TronHttp,
  { id, after, expiry, bytes }: LookUp,
  final: Block,
): Promise<{ from: ChainPoint; to: ChainPoint } | null> {
  // What the service did not make has no bytes here.
  if (bytes === "") return null;
  const { refBlock } = decodeRaw(Buffer.from(bytes, "hex"));
  const read: Block[] = [];
  for (let last: Block | undefined; last === undefined || (!isPast(expiry, last) && last.height < final.height); last = read.at(-1)) {
    const startNum: number = after + 1 + read.length;
    const asked = { startNum, endNum: Math.min(startNum + BLOCKS_AT_ONCE, final.height + 1) };
    const { block: blocks } = await http.ask(Blocks, "getblockbylimitnext", asked, "solid");
    if (blocks.length === 0) return null;
    read.push(...blocks);
  }
  // The bytes name the block that the first one must follow.
  if (!isGapless(read, after + 1) || read[0]?.parentHash.slice(16, 32) !== refBlock.hash.slice(16, 32)) return null;
  const having = read.find(({ ids }) => ids.includes(id));
  if (having) throw new Unreachable(`${http.name} shows ${id} in block ${having.height}, and has no receipt of it`);
  const [first, last] = [read[0], read.at(-1)];
  return first && last ? { from: pointOf(first), to: pointOf(last) } : null;
}

function isGapless(blocks: readonly Block[], firstHeight: number): boolean {
  return blocks.every(({ height, parentHash }, place) => {
    const previous = blocks[place - 1];
    return height === firstHeight + place && (previous === undefined || parentHash === previous.hash);
  });
}

async function blockWith(http: TronHttp, id: string, height: number, side: "solid" | "newest"): Promise<Block> {
  const block = await http.ask(MaybeBlock, "getblockbynum", { num: height }, side);
  if (block === null || !block.ids.includes(id))
    throw new Unreachable(`${http.name} has a receipt of ${id}, and no such transaction in block ${height}`);
  return block;
}

async function endOf(http: TronHttp, { id, bytes }: LookUp, info: Info): Promise<LapsingEnd> {
  const { height, hash: blockHash, at } = await blockWith(http, id, info.blockNumber, "solid");
  const moves = info.log.flatMap(({ address, topics, data }) => {
    const move = tokenMoveIn({ address, topics: topics.map((topic) => `0x${topic}`), data: `0x${data}` });
    if (move === null) return [];
    return { token: tronOfHex(address), sender: tronOfHex(move.from), recipient: tronOfHex(move.to), amountBase: move.amountBase };
  });
  const place = { height, at, blockHash, fee: { token: null, amountBase: info.fee }, moves, used: usedIn(info) };
  const { result } = info.receipt;
  if (result === undefined || result === "DEFAULT") throw new Unreachable(`${http.name} has no result of ${id}`);
  // A token's own answer counts for nothing: USDT's transfer returns false when it has paid. Its event shows what moved.
  if (result === "SUCCESS") return { ...place, outcome: "paid" };
  if (result !== "REVERT") return { ...place, outcome: "failed", reason: reasonOf(result), fault: "treasury" };
  const { owner } = decodeRaw(Buffer.from(bytes, "hex"));
  const { reason, treasury } = await explainTokenRevert(info.contractResult[0] ?? "", owner);
  return { ...place, outcome: "failed", reason, fault: treasury ? "treasury" : "payment" };
}

/** Energy in all and from a stake, and bandwidth that was not bought. What was bought is in sun: it is in the fee, with the memo. */
function usedIn({ receipt }: Info): MeteredUse {
  const { energy_usage_total: energy, energy_usage: staked_energy, energy_fee, net_usage: bandwidth, net_fee } = receipt;
  return { energy, staked_energy, energy_fee: Number(energy_fee), bandwidth, bandwidth_fee: Number(net_fee) };
}

function reasonOf(result: string): string {
  if (result === "OUT_OF_ENERGY") return "The payment ran out of energy.";
  return `The payment failed on the chain (${result}).`;
}

function pointOf({ height, at }: Block): ChainPoint {
  return { height, at };
}
