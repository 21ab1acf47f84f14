import { recipientOf, sweptIn } from "./contents.ts";
import { isOurs } from "./nodes.ts";
import type { PaymentWorld } from "./payments-world.ts";
import type { ProviderOrder } from "./provider.ts";
import { type OrderRow, tables } from "./tables/rows.ts";

/** An order, with what the chain and the provider have of it. */
type Seen = { id: string; row: OrderRow | undefined; taken: number; given: number; at: ProviderOrder | undefined };

const ENDS = ["sent", "uncollected", "paid", "released", "returned"];

function look(world: PaymentWorld): Seen[] {
  const { net, fiat } = world;
  const mined = net.chain.blocks.flatMap((block) => block.signed.filter((one) => isOurs(net, one.sender) && !block.failed.has(one.hash)));
  return [...(fiat?.wanted ?? [])].map(([id, { kind, place }]) => ({
    id,
    row: (kind === "topup" ? tables().topups : tables().withdrawals).rows.get(id),
    taken: mined.filter((one) => sweptIn(one)?.safe === place).length,
    given: mined.filter((one) => recipientOf(one) === place).length,
    at: fiat?.provider.orders.get(id),
  }));
}

/** The provider refuses it, and an earlier try may have reached it: for an hour it is asked again, then an operator finds out. */
const isDoubtful = ({ row, at }: Seen) => at === undefined && (row?.waitingReason ?? "").includes("may have it from an earlier try");

export const areOrdersEnded = (world: PaymentWorld) =>
  look(world).every((one) => ENDS.includes(one.row?.order.step ?? "") || isDoubtful(one));

const hasWord = ({ at }: Seen, status: "succeeded" | "failed") => at?.isSettled === true && at.word.status === status;

/** What holds whatever was put back or forged: no crypto twice, none for nothing, and never fiat and crypto. */
export function judgeOrdersSafe(world: PaymentWorld): void {
  for (const one of look(world)) {
    const { id, taken, given, at } = one;
    const say = (line: string) => void world.violations.push(`${id} ${line}`);
    if (taken > 1) say(`was swept ${taken} times`);
    if (given > 1) say(`was given crypto ${given} times`);
    if (world.fiat?.wanted.get(id)?.kind === "topup") {
      if (given > 0 && !hasWord(one, "succeeded")) say("was given crypto without a payment");
    } else {
      if (given > taken) say("got crypto back that was never taken");
      if (given > 0 && at?.word.status === "succeeded" && world.fiat?.isForged === false) say("got its crypto back, and was paid out");
    }
  }
}

/** Each order ends as the provider's word has it: paid once for crypto that came, or nothing was taken, or all of it came back. */
export function judgeOrders(world: PaymentWorld): void {
  judgeOrdersSafe(world);
  for (const one of look(world)) {
    const { id, row, taken, given, at } = one;
    const step = row?.order.step;
    const is = { sent: given === 1, uncollected: given === 0 && !hasWord(one, "succeeded") };
    const ends: Record<string, boolean> = {
      ...is,
      paid: taken === 1 && given === 0 && hasWord(one, "succeeded"),
      returned: taken === 1 && given === 1 && !hasWord(one, "succeeded"),
      released: taken === 0 && given === 0 && at === undefined,
    };
    if (isDoubtful(one)) continue;
    if (ends[step ?? ""] !== true)
      world.violations.push(
        `${id} is ${step} (${row?.waitingReason}), swept ${taken} times, given ${given} times; the provider says ${at?.word.status}`,
      );
  }
}
