import { CircleAlert, Hourglass, Loader, type LucideIcon, TriangleAlert } from "lucide-react";
import { useNow } from "../../_components/controls/clock.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { isTodo, type Part } from "./health.tsx";
import type { Asked, Now } from "./use-overview.ts";
import { OPENING } from "./words.ts";

/** One thing that needs somebody. `verb`: what a press on it leads to. */
type Todo = { key: string; text: string; aside?: string | undefined; verb: string; href: string; icon: LucideIcon; tone: string };
type Translations = WithShared<typeof OPENING>;

type Props = { now: Now; parts: readonly Part[]; asked: Asked; isOperator: boolean; mayAct: boolean };

/** The page begins with one sentence, and a row with a verb for each thing that needs somebody. What is well comes after it, in grey. */
export function Opening({ now, parts, asked, isOperator, mayAct }: Props) {
  const t = useTranslations(OPENING);
  const clock = useNow(5_000);
  const verbs = mayAct ? t.verbs : looking(t);
  const todos = [
    ...(isOperator ? operatorTodos(now, asked, { clock, t, verbs }) : partnerTodos(now, t, verbs)),
    ...partTodos(parts, now, verbs),
  ];
  return (
    <section className="opening" aria-label={t.title}>
      <p className="opening-sentence">
        {t.need(todos.length)} {t.money[moneyOf(parts)]} {isOperator && mayAct && <Link href="/console/queue">{t.queue}</Link>}
      </p>
      {todos.length > 0 && (
        <ul className="todos" aria-label={t.label}>
          {todos.map(({ key, text, aside, verb, href, icon: Icon, tone }) => (
            <li key={key}>
              <Link href={href} className="todo" data-tone={tone}>
                <Icon aria-hidden size={16} />
                <span className="todo-text">{text}</span>
                {aside && <span className="muted">{aside}</span>}
                <span className="todo-verb">
                  {verb}
                  <span aria-hidden>→</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Whether payments go out, as far as the parts say. */
function moneyOf(parts: readonly Part[]): "moves" | "waits" | "unknown" {
  const carrying = parts.filter(({ carries }) => carries !== undefined);
  if (carrying.some(({ trouble, unknown, carries }) => trouble !== null && !unknown && carries === "seen")) return "waits";
  return carrying.some(({ unknown, carries }) => unknown || carries === "unseen") ? "unknown" : "moves";
}

type Words = { clock: number; t: Translations; verbs: Translations["verbs"] };

function operatorTodos({ attention }: Now, { others, confirm }: Asked, { clock, t, verbs }: Words): Todo[] {
  const { oldest_approval_at: oldest, needs_review: review, ambiguous_orders: ambiguous, held_payments: held } = attention;
  const awaiting = attention.awaiting_approval - others;
  const item = (key: string, text: string, verb: string, href: string): Todo => {
    return { key, text, verb, href: `/console/${href}`, icon: Hourglass, tone: "pending" };
  };
  const failed = { icon: CircleAlert, tone: "failed" };
  const age = oldest === null || others > 0 ? undefined : t.oldest(t.format.span(clock - new Date(oldest).getTime()));
  const aside = others > 0 ? t.others(others) : age;
  const todos: (Todo | false)[] = [
    awaiting > 0 && { ...item("awaiting", t.awaiting(awaiting), verbs.decide(awaiting), "approvals"), aside },
    confirm > 0 && item("confirm", t.confirm(confirm), verbs.confirm(confirm), "proposals"),
    review > 0 && { ...item("review", t.review(review), verbs.review(review), "treasury"), ...failed },
    held > 0 && item("held", t.held(held), verbs.release(held), "treasury"),
    ambiguous > 0 && { ...item("ambiguous", t.ambiguous(ambiguous), verbs.resolve(ambiguous), "fiat"), ...failed },
  ];
  return [...todos.filter((each) => each !== false), ...slowTodos(attention, t, verbs)];
}

function partnerTodos({ attention }: Now, t: Translations, verbs: Translations["verbs"]): Todo[] {
  const { approved_unconfirmed: approved, awaiting_approval: awaiting } = attention;
  const list = (view: string) => `/console/settlements?view=${view}`;
  const todos: (Todo | false)[] = [
    approved > 0 && {
      key: "approved",
      text: t.approved(approved),
      verb: verbs.look(approved),
      href: list("approved"),
      icon: Hourglass,
      tone: "approved",
    },
    awaiting > 0 && {
      key: "awaiting",
      text: t.awaiting(awaiting),
      verb: verbs.look(awaiting),
      href: list("awaiting_approval"),
      icon: Hourglass,
      tone: "plain",
    },
  ];
  return [...todos.filter((each) => each !== false), ...slowTodos(attention, t, verbs)];
}

function slowTodos({ slow_processing: slow }: Now["attention"], t: Translations, verbs: Translations["verbs"]): Todo[] {
  const href = "/console/settlements?view=processing&processing=10";
  return slow > 0 ? [{ key: "slow", text: t.slow(slow), verb: verbs.look(slow), href, icon: Loader, tone: "pending" }] : [];
}

/** For who may only look. */
function looking({ verbs: { look, see } }: Translations): Translations["verbs"] {
  return { decide: look, confirm: look, review: look, release: look, resolve: look, resend: look, look, see, treasury: see };
}

/** Parts whose trouble somebody can end from their own page. The line above every page has the rest. */
function partTodos(parts: readonly Part[], { attention }: Now, verbs: Translations["verbs"]): Todo[] {
  const { undelivered_callbacks: given, retrying_callbacks: retrying } = attention;
  const ofKey = { callbacks: given > 0 ? verbs.resend(given) : verbs.look(retrying), treasury: verbs.treasury, rates: verbs.see };
  return parts.filter(isTodo).map(({ name, key = "rates", href, trouble, tone = "failed" }) => {
    return { key: name, text: `${name}: ${trouble}`, verb: ofKey[key], href, icon: TriangleAlert, tone };
  });
}
