import { CircleAlert, Hourglass, Loader, type LucideIcon } from "lucide-react";
import { useNow } from "../../_components/controls/clock.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { span } from "../../_format/time.ts";
import { useTranslations } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { WAITING } from "./words.ts";

type Item = { key: string; text: string; href: string; icon: LucideIcon; tone: string };
type Translations = typeof WAITING;

type Props = { now: Now; isOperator: boolean /** Whether the health above says that something is wrong. */; isIll: boolean };

/** Work that waits for a decision; what the health above says is not repeated. One line if there is none. */
export function AttentionStrip({ now, isOperator, isIll }: Props) {
  const t = useTranslations(WAITING);
  const clock = useNow(5_000);
  const items = isOperator ? operatorItems(now, clock, t) : partnerItems(now, t);
  if (items.length === 0) return <p className="attention-none muted">{isIll ? t.nothingElse : t.none}</p>;
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

function operatorItems({ attention }: Now, clock: number, t: Translations): Item[] {
  const { awaiting_approval: awaiting, oldest_approval_at: oldest, needs_review: review, ambiguous_orders: ambiguous } = attention;
  const { held_payments: held } = attention;
  const item = (key: string, text: string, href: string, icon: LucideIcon, tone: string) => ({ key, text, href, icon, tone });
  const age = oldest === null ? null : span(clock - new Date(oldest).getTime());
  return [
    awaiting > 0 && item("awaiting", t.awaiting(awaiting, age), "/console/approvals", Hourglass, "pending"),
    review > 0 && item("review", t.review(review), "/console/treasury", CircleAlert, "failed"),
    held > 0 && item("held", t.held(held), "/console/treasury", Hourglass, "pending"),
    ambiguous > 0 && item("ambiguous", t.ambiguous(ambiguous), "/console/fiat", CircleAlert, "failed"),
    ...slowItem(attention, t),
  ].filter((each) => each !== false);
}

function partnerItems({ attention }: Now, t: Translations): Item[] {
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
  return [...items, ...slowItem(attention, t)];
}

function slowItem({ slow_processing: slow }: Now["attention"], t: Translations): Item[] {
  const href = "/console/settlements?view=processing&processing=10";
  return slow > 0 ? [{ key: "slow", text: t.slow(slow), href, icon: Loader, tone: "pending" }] : [];
}
