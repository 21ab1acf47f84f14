import { CircleAlert, Fuel, Hourglass, Loader, type LucideIcon, OctagonX, RotateCw, SendHorizontal, TrendingDown } from "lucide-react";
import Link from "next/link";
import { useNow } from "../../_components/controls/clock.tsx";
import { span } from "../../_format/time.ts";
import { useWords } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { WAITING } from "./words.ts";

type Item = { key: string; text: string; href: string; icon: LucideIcon; tone: string };
type Says = typeof WAITING;

/** What waits for whoever looks; in one line where nothing does. */
export function AttentionStrip({ now, isOperator }: { now: Now; isOperator: boolean }) {
  const says = useWords(WAITING);
  const clock = useNow(5_000);
  const items = isOperator ? operatorItems(now, clock, says) : partnerItems(now, says);
  if (items.length === 0) return <p className="attention-none muted">{says.nothing}</p>;
  return (
    <ul className="attention" aria-label={says.label}>
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

function operatorItems({ attention, halted, inside }: Now, clock: number, says: Says): Item[] {
  const { awaiting_approval: awaiting, oldest_approval_at: oldest, needs_review: review, ambiguous_orders: ambiguous } = attention;
  const { halted_lanes: lanes, held_payments: held } = attention;
  const item = (key: string, text: string, href: string, icon: LucideIcon, tone: string) => ({ key, text, href, icon, tone });
  const age = oldest === null ? null : span(clock - new Date(oldest).getTime());
  return [
    awaiting > 0 && item("awaiting", says.awaiting(awaiting, age), "/console/approvals", Hourglass, "pending"),
    lanes > 0 && item("lanes", says.lanes(lanes), "/console/treasury", OctagonX, "failed"),
    review > 0 && item("review", says.review(review), "/console/treasury", CircleAlert, "failed"),
    held > 0 && item("held", says.held(held), "/console/treasury", Hourglass, "pending"),
    ambiguous > 0 && item("ambiguous", says.ambiguous(ambiguous), "/console/fiat", CircleAlert, "failed"),
    ...bothItems(attention, says),
    ...haltedItems(halted, says),
    ...(inside?.runway ?? []).map(
      ({ currency, chain, low_wallets: low, wallets }) =>
        low > 0 && item(`${chain} ${currency}`, says.low(currency, chain, low, wallets), "/console/treasury", Fuel, "undelivered"),
    ),
  ].filter((each) => each !== false);
}

function partnerItems({ attention, halted }: Now, says: Says): Item[] {
  const { approved_unconfirmed: approved, awaiting_approval: awaiting } = attention;
  const items: Item[] = [];
  if (approved > 0)
    items.push({
      ...{ key: "approved", text: says.approved(approved), href: "/console/settlements?view=approved" },
      ...{ icon: Hourglass, tone: "approved" },
    });
  if (awaiting > 0)
    items.push({
      ...{ key: "awaiting", text: says.awaiting(awaiting, null), href: "/console/settlements?view=awaiting_approval" },
      ...{ icon: Hourglass, tone: "plain" },
    });
  return [...items, ...bothItems(attention, says), ...haltedItems(halted, says)];
}

function bothItems(attention: Now["attention"], says: Says): Item[] {
  const { undelivered_callbacks: undelivered, retrying_callbacks: retrying, slow_processing: slow } = attention;
  const items: Item[] = [];
  if (undelivered > 0) {
    const text = says.undelivered(undelivered);
    items.push({ key: "undelivered", text, href: "/console/callbacks", icon: SendHorizontal, tone: "undelivered" });
  }
  if (retrying > 0) {
    const text = says.retrying(retrying);
    items.push({ key: "retrying", text, href: "/console/callbacks?tab=retrying", icon: RotateCw, tone: "pending" });
  }
  if (slow > 0) {
    const href = "/console/settlements?view=processing&processing=10";
    items.push({ key: "slow", text: says.slow(slow), href, icon: Loader, tone: "pending" });
  }
  return items;
}

function haltedItems(halted: Now["halted"], says: Says): Item[] {
  const [first] = halted;
  if (first === undefined) return [];
  const text = halted.length === 1 ? says.haltedOne(first) : says.haltedMany(halted.length);
  return [{ key: "halted", text, href: "/console/rates", icon: TrendingDown, tone: "failed" }];
}
