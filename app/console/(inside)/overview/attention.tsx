import { CircleAlert, Fuel, Hourglass, Loader, type LucideIcon, OctagonX, RotateCw, SendHorizontal, TrendingDown } from "lucide-react";
import { useNow } from "../../_components/controls/clock.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { span } from "../../_format/time.ts";
import { useTranslations } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { WAITING } from "./words.ts";

type Item = { key: string; text: string; href: string; icon: LucideIcon; tone: string };
type Translations = typeof WAITING;

/** Work that waits for the user; one line if there is none. */
export function AttentionStrip({ now, isOperator }: { now: Now; isOperator: boolean }) {
  const t = useTranslations(WAITING);
  const clock = useNow(5_000);
  const items = isOperator ? operatorItems(now, clock, t) : partnerItems(now, t);
  if (items.length === 0) return <p className="attention-none muted">{t.nothing}</p>;
  return (
    <ul className="attention" aria-label={t.label}>
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

function operatorItems({ attention, halted, inside }: Now, clock: number, t: Translations): Item[] {
  const { awaiting_approval: awaiting, oldest_approval_at: oldest, needs_review: review, ambiguous_orders: ambiguous } = attention;
  const { halted_lanes: lanes, held_payments: held } = attention;
  const item = (key: string, text: string, href: string, icon: LucideIcon, tone: string) => ({ key, text, href, icon, tone });
  const age = oldest === null ? null : span(clock - new Date(oldest).getTime());
  return [
    awaiting > 0 && item("awaiting", t.awaiting(awaiting, age), "/console/approvals", Hourglass, "pending"),
    lanes > 0 && item("lanes", t.halts(lanes), "/console/treasury", OctagonX, "failed"),
    review > 0 && item("review", t.review(review), "/console/treasury", CircleAlert, "failed"),
    held > 0 && item("held", t.held(held), "/console/treasury", Hourglass, "pending"),
    ambiguous > 0 && item("ambiguous", t.ambiguous(ambiguous), "/console/fiat", CircleAlert, "failed"),
    ...bothItems(attention, t),
    ...haltedItems(halted, t),
    ...(inside?.runway ?? []).map(
      ({ currency, chain, low_wallets: low, wallets }) =>
        low > 0 && item(`${chain} ${currency}`, t.low(currency, chain, low, wallets), "/console/treasury", Fuel, "undelivered"),
    ),
  ].filter((each) => each !== false);
}

function partnerItems({ attention, halted }: Now, t: Translations): Item[] {
  const { approved_unconfirmed: approved, awaiting_approval: awaiting } = attention;
  const items: Item[] = [];
  if (approved > 0)
    items.push({
      key: "approved",
      text: t.approved(approved),
      href: "/console/settlements?view=approved",
      icon: Hourglass,
      tone: "approved",
    });
  if (awaiting > 0)
    items.push({
      key: "awaiting",
      text: t.awaiting(awaiting, null),
      href: "/console/settlements?view=awaiting_approval",
      icon: Hourglass,
      tone: "plain",
    });
  return [...items, ...bothItems(attention, t), ...haltedItems(halted, t)];
}

function bothItems(attention: Now["attention"], t: Translations): Item[] {
  const { undelivered_callbacks: undelivered, retrying_callbacks: retrying, slow_processing: slow } = attention;
  const items: Item[] = [];
  if (undelivered > 0) {
    const text = t.undelivered(undelivered);
    items.push({ key: "undelivered", text, href: "/console/callbacks", icon: SendHorizontal, tone: "undelivered" });
  }
  if (retrying > 0) {
    const text = t.retrying(retrying);
    items.push({ key: "retrying", text, href: "/console/callbacks?tab=retrying", icon: RotateCw, tone: "pending" });
  }
  if (slow > 0) {
    const href = "/console/settlements?view=processing&processing=10";
    items.push({ key: "slow", text: t.slow(slow), href, icon: Loader, tone: "pending" });
  }
  return items;
}

function haltedItems(halted: Now["halted"], t: Translations): Item[] {
  const [first] = halted;
  if (first === undefined) return [];
  const text = halted.length === 1 ? t.haltedOne(first) : t.haltedMany(halted.length);
  return [{ key: "halted", text, href: "/console/rates", icon: TrendingDown, tone: "failed" }];
}
