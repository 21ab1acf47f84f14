import { type Facts, judge, NOTHING } from "#fault/checker.ts";
import type { Outcome } from "#fault/outcome.ts";
import { audited, knownTo, paymentsOn } from "#fault/truth.ts";
import type { World } from "#fault/world.ts";
import { ENDINGS, type Filing } from "./bucket-files.ts";

/** This many settlements are judged at a time. */
const AT_A_TIME = 20_000;
const BLOCKS_AT_A_TIME = 500;
const MOST_KEPT = 200;

/** The common rules over everything that was filed, a part of the wallets at a time; and the rest at once. */
export async function verdictOf(world: World, filing: Filing, { settlements, facts }: { settlements: number; facts: Partial<Facts> }) {
  await filePayments(world, filing);
  await fileHeard(world, filing);
  filing.flush();
  const parts = Math.max(1, Math.min(ENDINGS.length, Math.ceil(settlements / AT_A_TIME)));
  const size = Math.ceil(ENDINGS.length / parts);
  const { interruptions = 0 } = facts;
  let outcomes: Outcome[] = [];
  for (let from = 0; from < ENDINGS.length; from += size) {
    const endings = ENDINGS.slice(from, from + size);
    const [owed, heard, payments] = [filing.read("owed", endings), filing.read("heard", endings), filing.read("payment", endings)];
    const known = await knownTo(world.database, endings);
    outcomes = merged(outcomes, judge({ ...NOTHING, ...known, owed, heard, payments, interruptions, drainedAfterMs: 0 }));
  }
  const audit = await audited(world.database, world.stage.evm);
  return merged(outcomes, judge({ ...NOTHING, ...facts, audit }));
}

/** The chain's payments, range by range. */
async function filePayments(world: World, filing: Filing): Promise<void> {
  const height = Number(await world.stage.chain.call("eth_blockNumber"));
  const hex = (block: number) => `0x${block.toString(16)}`;
  for (let from = 0; from <= height; from += BLOCKS_AT_A_TIME) {
    const blocks = { fromBlock: hex(from), toBlock: hex(Math.min(height, from + BLOCKS_AT_A_TIME - 1)) };
    for (const payment of await paymentsOn(world, blocks)) filing.add("payment", payment.wallet, payment);
  }
}

/** Callbacks by the wallets of their settlements. One without a settlement is filed as well, and judged so. */
async function fileHeard({ database }: World, filing: Filing): Promise<void> {
  filing.flush();
  for (const ending of ENDINGS) {
    const arrived = filing.read("arrived", [ending]);
    const ids = arrived.map(({ subjectId }) => subjectId);
    const found = await database.sql<{ id: string; wallet: string }[]>`
      select id, wallet_address as wallet from settlements where id = any(${ids})`;
    const wallets = new Map(found.map(({ id, wallet }) => [id, wallet]));
    for (const heard of arrived) filing.add("heard", wallets.get(heard.subjectId) ?? ending, heard);
  }
}

/** Two judgments as one: a rule has the cases and violations of both. */
function merged(before: readonly Outcome[], more: readonly Outcome[]): Outcome[] {
  const names = [...new Set([...before, ...more].map(({ rule }) => rule))];
  return names.flatMap((name) => {
    const both = [...before, ...more].filter(({ rule }) => rule === name);
    const [first] = both;
    if (first === undefined) return [];
    const checked = both.reduce((sum, one) => sum + one.checked, 0);
    return [{ ...first, checked, violations: both.flatMap(({ violations }) => violations).slice(0, MOST_KEPT) }];
  });
}
