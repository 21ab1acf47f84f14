"use client";

import { useQuery } from "@tanstack/react-query";
import type { Answers } from "#server/console/router.ts";
import { useNow } from "../../_components/controls/clock.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Money, Time } from "../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { kindWords } from "../proposals/kinds.ts";
import { KINDS } from "../proposals/words.ts";
import { CHECK_WORDS } from "../treasury/held-words.ts";
import { AbsenceForm } from "./absence-form.tsx";
import { PAGE, QUEUE } from "./words.ts";

type Work = Answers["work"]["queue"]["data"][number];
type Translations = WithShared<typeof QUEUE>;
type Names = { t: Translations; kinds: typeof KINDS; checks: typeof CHECK_WORDS };

const LOOK_MS = 10_000;

/** A person's own decisions, and below them what waits for others. */
export function Queue({ mayDecide }: { mayDecide: boolean }) {
  const [t, page] = [useTranslations(QUEUE), useTranslations(PAGE)];
  const names = { t, kinds: useTranslations(KINDS), checks: useTranslations(CHECK_WORDS) };
  const trpc = useTRPC();
  // What is passed on when it is overdue changes nothing that the page would hear of.
  const list = useQuery(trpc.work.queue.queryOptions(undefined, { refetchInterval: LOOK_MS }));
  useLiveChanges(() => true, useRefresh(trpc.work.queue.queryKey()));
  const now = useNow(5_000);
  return (
    <>
      <PageHeader title={page.title} />
      <QueryBoundary of={list} waiting={<Skeleton rows={6} />}>
        {({ data, more }) => {
          const own = data.filter(({ waits_for }) => waits_for === "you");
          const others = data.filter(({ waits_for }) => waits_for === "others");
          const overdue = own.filter(({ promised_by }) => Date.parse(promised_by) < now).length;
          return (
            <>
              {own.length > 0 && (
                <p className="opening-sentence queue-summary" role="status">
                  {t.summary(own.length, overdue)}
                </p>
              )}
              <Section title={t.forYou}>
                {own.length === 0 ? (
                  <Empty title={t.noneForYou}>{t.noneForYouMore}</Empty>
                ) : (
                  <Table caption={t.forYouCaption} columns={columnsOf(names, now, true)} rows={own} keyOf={keyOf} />
                )}
                {more && <p className="muted">{t.more}</p>}
              </Section>
              {others.length > 0 && (
                <Section title={t.forOthers}>
                  <Table caption={t.forOthersCaption} columns={columnsOf(names, now, false)} rows={others} keyOf={keyOf} />
                </Section>
              )}
            </>
          );
        }}
      </QueryBoundary>
      {mayDecide && <AbsenceForm />}
    </>
  );
}

function PartnerName({ name }: { name: string }) {
  return (
    <span className="short" title={name} translate="no">
      {name}
    </span>
  );
}

const keyOf = ({ kind, id, detail }: Work) => `${kind} ${id} ${detail}`;

function columnsOf(names: Names, now: number, isOwn: boolean): Column<Work>[] {
  const { t } = names;
  return [
    {
      id: "what",
      header: t.what,
      pinned: true,
      card: 1,
      cell: (work) => (
        <span className="who">
          <strong>{t.kinds[work.kind]}</strong>
          <About of={work} names={names} />
        </span>
      ),
    },
    {
      id: "amount",
      header: t.amount,
      align: "end",
      card: 1.1,
      cell: ({ amount }) => (amount ? <Money amount={amount.value} currency={amount.currency} /> : <None />),
    },
    { id: "partner", header: t.partner, card: 2, cell: ({ partner }) => (partner === null ? <None /> : <PartnerName name={partner} />) },
    { id: "since", header: t.waitsSince, spare: true, cell: ({ since }) => <Time at={since} /> },
    { id: "promised", header: t.promised, card: 2.1, aside: true, cell: (work) => <Promised of={work} now={now} /> },
    {
      id: "verb",
      header: "",
      align: "end",
      card: 3,
      cell: (work) => {
        const verb = isOwn ? t.verbs[work.kind] : t.open;
        return (
          <Link
            href={pageOf(work)}
            className="button"
            data-look={isOwn ? "primary" : undefined}
            aria-label={t.verbOf(verb, nameOf(work, names))}
          >
            {verb}
          </Link>
        );
      },
    },
  ];
}

/** Until when the decision is promised and, once it was overdue, to whom it was passed on. */
function Promised({ of: { promised_by: at, escalated }, now }: { of: Work; now: number }) {
  const { dueIn, overdueBy, passedToYou, passedTo, format } = useTranslations(QUEUE);
  const left = Date.parse(at) - now;
  return (
    <span className="who">
      <time dateTime={at} className={left < 0 ? "queue-overdue" : undefined}>
        {left < 0 ? overdueBy(format.span(left)) : dueIn(format.span(left))}
      </time>
      {escalated && (
        <span className="muted">
          {escalated.to_you ? (
            <Trans sentence={passedToYou} time={<Time at={escalated.at} />} />
          ) : (
            <Trans sentence={passedTo} name={<Data>{escalated.name}</Data>} time={<Time at={escalated.at} />} />
          )}
        </span>
      )}
    </span>
  );
}

/** What it is about: a merchant's or a batch's reference is data, the rest a word of ours. */
function About({ of: work, names }: { of: Work; names: Names }) {
  const { kind, detail } = work;
  if (kind !== "settlement" && kind !== "batch") return <span className="muted">{wordOf(work, names)}</span>;
  return (
    <span className="muted short" title={detail} translate="no">
      {detail}
    </span>
  );
}

function wordOf({ kind, detail }: Work, { t, kinds, checks }: Names): string {
  if (kind === "proposal") return kindWords(detail, kinds);
  if (kind === "hold") return checks[detail] ?? detail;
  if (kind === "order") return detail === "topup" ? t.about.topup : t.about.withdrawal;
  return "";
}

function nameOf(work: Work, names: Names): string {
  return `${names.t.kinds[work.kind]} ${wordOf(work, names) || work.detail}`;
}

/** Where it is decided. */
function pageOf({ kind, id, detail }: Work): string {
  switch (kind) {
    case "settlement":
      return `/console/approvals?tx=${encodeURIComponent(id)}`;
    case "batch":
      return "/console/approvals?tab=batches";
    case "proposal":
      return "/console/proposals";
    case "order":
      return `/console/fiat/${detail === "topup" ? "topups" : "withdrawals"}/${encodeURIComponent(id)}`;
    default:
      return "/console/treasury";
  }
}
