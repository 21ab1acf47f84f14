import { Ban, Check, Clock, ClockAlert, Hourglass, Loader, type LucideIcon, SendHorizontal, ShieldCheck, ShieldX, X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { usePreferences } from "#app/console/_components/frame/preferences.tsx";
import type { SettlementStatus } from "#domain/settlement.ts";
import { type SettlementView, viewOf } from "#domain/settlement-view.ts";
import { leastDecimalsOf } from "../../_format/amount.ts";
import { useTranslations } from "../../_words/words.ts";
import { useNow } from "./clock.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Link } from "./link.tsx";
import { VALUES, VIEW_WORDS } from "./words.ts";

/** How the console shows values: ids, amounts, instants, states, and names. */

/** The beginning and the end of an id, which people compare. Our ids begin with a kind and a time, which hardly differ. */
export function shortened(id: string, head = /^[a-z]{2,3}_/.test(id) ? 3 : 6, tail = 6): string {
  return id.length <= head + tail + 1 ? id : `${id.slice(0, head)}…${id.slice(-tail)}`;
}

type IdProps = { value: string; what: string; href?: string; full?: boolean; copy?: boolean };

/** An id, address or hash: shortened in the middle, in full for pointers and screen readers, and copied in full. */
export function Id({ value, what, href, full = false, copy = true }: IdProps) {
  const t = useTranslations(VALUES);
  const text = full ? value : shortened(value);
  const shown =
    text === value ? (
      value
    ) : (
      <>
        <span aria-hidden>{text}</span>
        <span className="sr-only">{value}</span>
      </>
    );
  return (
    <span className="id" data-full={full || undefined}>
      {href ? (
        <Link href={href} className="id-text" title={value} translate="no">
          {shown}
        </Link>
      ) : (
        <span className="id-text" title={value} translate="no">
          {shown}
        </span>
      )}
      {copy && <CopyButton text={value} label={t.copy(what)} />}
    </span>
  );
}

type MoneyProps = { amount: string; currency: string; size?: "regular" | "large" };

/** An exact amount with its currency; the digits are those of the API, grouped. A user who is being watched can hide all amounts. */
export function Money({ amount, currency, size = "regular" }: MoneyProps) {
  const t = useTranslations(VALUES);
  const hidden = usePreferences().preferences.amounts === "hidden";
  return (
    <span
      className="money"
      translate="no"
      data-size={size}
      data-token={currency.length > 3 || undefined}
      title={hidden ? t.hidden : `${amount} ${currency}`}
    >
      <span className="money-digits">{hidden ? <Hidden /> : <AtPoint text={t.format.grouped(amount, leastDecimalsOf(currency))} />}</span>{" "}
      <span className="money-currency">{currency}</span>
    </span>
  );
}

/** In a column of a table decimals are aligned; elsewhere it is plain text. */
function AtPoint({ text }: { text: string }) {
  const point = text.indexOf(useTranslations(VALUES).format.point);
  return (
    <>
      {point < 0 ? text : text.slice(0, point)}
      <span className="money-decimals">{point < 0 ? "" : text.slice(point)}</span>
    </>
  );
}

/** Formatted like an amount whose currency is shown elsewhere, and hidden like all amounts. */
export function Digits({ children }: { children: string }) {
  return usePreferences().preferences.amounts === "hidden" ? <Hidden /> : children;
}

function Hidden() {
  const t = useTranslations(VALUES);
  return (
    <>
      <span aria-hidden>••••</span>
      <span className="sr-only">{t.hiddenAmount}</span>
    </>
  );
}

/** The display time zone; UTC until hydration, as the server rendered. */
export function useZone() {
  const { preferences } = usePreferences();
  const [isHydrated, setLives] = useState(false);
  useEffect(() => setLives(true), []);
  return isHydrated ? preferences.zone : "utc";
}

/** An instant. In lists relative to now, exact on hover; elsewhere exact. */
export function Time({ at, form = "relative" }: { at: string; form?: "relative" | "absolute" }) {
  const zone = useZone();
  const { absolute } = useTranslations(VALUES).format;
  return form === "relative" ? (
    <RelativeTime at={at} exact={absolute(at, zone)} />
  ) : (
    <time dateTime={at} title={at} className="time">
      {absolute(at, zone)}
    </time>
  );
}

function RelativeTime({ at, exact }: { at: string; exact: string }) {
  const now = useNow(5_000);
  const { relative } = useTranslations(VALUES).format;
  return (
    <time dateTime={at} title={exact} className="time">
      {relative(at, now)}
    </time>
  );
}

/** Whether an instant of business time has passed; updates automatically. */
export function useHasPassed(at: string): boolean {
  const now = useNow(1_000);
  return now >= new Date(at).getTime();
}

/** `origin`: its label comes from the service and is not a translated text. */
export type KeyValue = { key: string; value: ReactNode; origin?: "served" };

/** Names and values, in two columns where there is space. Entries without a value are omitted. */
export function KeyValues({ items }: { items: readonly (KeyValue | null | false)[] }) {
  return (
    <dl className="key-values">
      {items.map(
        (item) =>
          item && (
            <div key={item.key} className="key-value">
              <dt {...(item.origin && { lang: "en" })}>{item.key}</dt>
              <dd>{item.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The console's labels for states: always a sign and a word, never only a colour. */
type Sign = { word: string; icon: LucideIcon; tone: string };

const VIEWS: Record<SettlementView, Omit<Sign, "word">> = {
  quoted: { icon: Clock, tone: "quoted" },
  awaiting_approval: { icon: Hourglass, tone: "pending" },
  approved: { icon: ShieldCheck, tone: "approved" },
  lapsed: { icon: ClockAlert, tone: "lapsed" },
  processing: { icon: Loader, tone: "processing" },
  executed: { icon: Check, tone: "executed" },
  failed: { icon: X, tone: "failed" },
  cancelled: { icon: Ban, tone: "cancelled" },
  rejected: { icon: ShieldX, tone: "rejected" },
};

/** A status: `tone` is one of the state tokens (`executed`, `failed`, `pending`, …). */
export function Badge({ word, icon: Icon, tone, detail }: Sign & { detail?: string | undefined }) {
  return (
    <span className="badge" data-tone={tone}>
      <Icon aria-hidden size={14} />
      <span>
        {word}
        {detail && <span className="badge-detail"> {detail}</span>}
      </span>
    </span>
  );
}

type Shown = { status: SettlementStatus; approval_state: "pending" | "approved" | "rejected" | null; expires_at: string };

/** A settlement's present status: a quote becomes "lapsed" by itself when it expires. */
export function SettlementBadge({ settlement, detail }: { settlement: Shown; detail?: string }) {
  const view = useSettlementView(settlement);
  return <Badge {...VIEWS[view]} word={useTranslations(VIEW_WORDS)[view]} detail={detail} />;
}

export function useSettlementView({ status, approval_state: approvalState, expires_at: expiresAt }: Shown): SettlementView {
  const now = useNow(1_000);
  return viewOf({ status, approvalState, expiresAtMs: new Date(expiresAt).getTime() }, now);
}

type CallbackCounts = { pending: number; delivered: number; undelivered: number };

/** The state of a settlement's callbacks; nothing if there are none. */
export function CallbackBadge({ callbacks }: { callbacks: CallbackCounts }) {
  const t = useTranslations(VALUES);
  const { pending, delivered, undelivered } = callbacks;
  if (undelivered > 0) return <Badge word={t.undelivered} icon={SendHorizontal} tone="undelivered" />;
  if (pending > 0) return <Badge word={t.retrying} icon={SendHorizontal} tone="pending" />;
  if (delivered > 0)
    return (
      <span className="as-expected" title={t.delivered}>
        <Badge word={t.delivered} icon={Check} tone="plain" />
      </span>
    );
  return <span className="none">–</span>;
}
