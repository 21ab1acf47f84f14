import { CircleAlert, Fuel, Hourglass, Loader, type LucideIcon, OctagonX, RotateCw, SendHorizontal, TrendingDown } from "lucide-react";
import Link from "next/link";
import { useNow } from "../../_components/controls/clock.tsx";
import { span } from "../../_format/time.ts";
import type { Now } from "./use-overview.ts";

type Item = { key: string; text: string; href: string; icon: LucideIcon; tone: string };

/** What somebody ought to look at now; nothing where there is nothing. */
export function AttentionStrip({ now, isOperator }: { now: Now; isOperator: boolean }) {
  const clock = useNow(5_000);
  const items = isOperator ? operatorItems(now, clock) : partnerItems(now);
  if (items.length === 0) return null;
  return (
    <ul className="attention" aria-label="Needs attention">
      {items.map(({ key, text, href, icon: Icon, tone }) => (
        <li key={key}>
          <Link href={href} className="chip" data-tone={tone}>
            <Icon aria-hidden size={16} />
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function operatorItems({ attention, halted, inside }: Now, clock: number): Item[] {
  const { awaiting_approval: awaiting, oldest_approval_at: oldest, needs_review: review, ambiguous_orders: ambiguous } = attention;
  const { halted_lanes: lanes, held_payments: held } = attention;
  const items: Item[] = [];
  if (awaiting > 0) {
    const age = oldest === null ? "" : `, oldest ${span(clock - new Date(oldest).getTime())}`;
    const text = `${awaiting} ${awaiting === 1 ? "awaits" : "await"} approval${age}`;
    items.push({ key: "awaiting", text, href: "/console/approvals", icon: Hourglass, tone: "pending" });
  }
  if (lanes > 0) {
    const text = lanes === 1 ? "1 lane is halted: payments wait" : `${lanes} lanes are halted: payments wait`;
    items.push({ key: "lanes", text, href: "/console/treasury", icon: OctagonX, tone: "failed" });
  }
  if (review > 0) {
    const text = `${review} ${review === 1 ? "payment needs" : "payments need"} review`;
    items.push({ key: "review", text, href: "/console/treasury", icon: CircleAlert, tone: "failed" });
  }
  if (held > 0) {
    const text = `${held} ${held === 1 ? "payment is" : "payments are"} held for a decision`;
    items.push({ key: "held", text, href: "/console/treasury", icon: Hourglass, tone: "pending" });
  }
  if (ambiguous > 0) {
    const text = `${ambiguous} ${ambiguous === 1 ? "order is" : "orders are"} unclear at the provider`;
    items.push({ key: "ambiguous", text, href: "/console/fiat", icon: CircleAlert, tone: "failed" });
  }
  items.push(...bothItems(attention));
  items.push(...haltedItems(halted));
  for (const { currency, chain, low } of inside?.runway ?? []) {
    if (low)
      items.push({
        key: `${chain} ${currency}`,
        text: `${currency} runs low on ${chain}`,
        href: "/console/treasury",
        icon: Fuel,
        tone: "undelivered",
      });
  }
  return items;
}

function partnerItems({ attention, halted }: Now): Item[] {
  const { approved_unconfirmed: approved, awaiting_approval: awaiting } = attention;
  const items: Item[] = [];
  if (approved > 0) {
    const text = `${approved} approved, to be confirmed before ${approved === 1 ? "it lapses" : "they lapse"}`;
    items.push({ key: "approved", text, href: "/console/settlements?view=approved", icon: Hourglass, tone: "approved" });
  }
  if (awaiting > 0) {
    const text = `${awaiting} ${awaiting === 1 ? "awaits" : "await"} approval`;
    items.push({ key: "awaiting", text, href: "/console/settlements?view=awaiting_approval", icon: Hourglass, tone: "pending" });
  }
  return [...items, ...bothItems(attention), ...haltedItems(halted)];
}

function bothItems({ undelivered_callbacks: undelivered, retrying_callbacks: retrying, slow_processing: slow }: Now["attention"]): Item[] {
  const items: Item[] = [];
  if (undelivered > 0) {
    const text = `${undelivered} undelivered ${undelivered === 1 ? "callback" : "callbacks"}`;
    items.push({ key: "undelivered", text, href: "/console/callbacks", icon: SendHorizontal, tone: "undelivered" });
  }
  if (retrying > 0) {
    const text = `${retrying} ${retrying === 1 ? "callback" : "callbacks"} failing, still retried`;
    items.push({ key: "retrying", text, href: "/console/callbacks?tab=retrying", icon: RotateCw, tone: "pending" });
  }
  if (slow > 0) {
    items.push({
      key: "slow",
      text: `${slow} processing > 10 m`,
      href: "/console/settlements?view=processing&processing=10",
      icon: Loader,
      tone: "processing",
    });
  }
  return items;
}

function haltedItems(halted: Now["halted"]): Item[] {
  if (halted.length === 0) return [];
  const text = halted.length === 1 ? `Quoting of ${halted[0]} is halted` : `Quoting of ${halted.length} pairs is halted`;
  return [{ key: "halted", text, href: "/console/rates", icon: TrendingDown, tone: "failed" }];
}
