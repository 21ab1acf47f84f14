"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { RUNBOOKS } from "#domain/runbook.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { troubleWords } from "../../_components/frame/trouble-words.ts";
import { type TroubleShown, useTroubles } from "../../_components/frame/use-troubles.ts";
import { HEALTH_LINE } from "../../_components/frame/words.ts";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { INCIDENTS, PAGE } from "./words.ts";

type Incident = Answers["incidents"]["list"]["data"][number];
type Translations = WithShared<typeof INCIDENTS>;

/** What is wrong now, each with the incident that people work on; below, the incidents so far. */
export function Incidents({ mayAct }: { mayAct: boolean }) {
  const [t, page, line] = [useTranslations(INCIDENTS), useTranslations(PAGE), useTranslations(HEALTH_LINE)];
  const list = useQuery(useTRPC().incidents.list.queryOptions());
  const troubles = useTroubles();
  return (
    <>
      <PageHeader title={page.title} />
      <QueryBoundary of={list} waiting={<Skeleton rows={4} />}>
        {({ data }) => (
          <>
            <Section title={t.now}>
              {troubles.length === 0 ? (
                <Empty title={t.noTrouble} more={t.noTroubleMore} />
              ) : (
                <Now troubles={troubles} incidents={data} mayAct={mayAct} />
              )}
            </Section>
            <Section title={t.all}>
              {data.length === 0 ? (
                <p className="muted">{t.noneSoFar}</p>
              ) : (
                <Table caption={t.caption} columns={columnsOf(t, line)} rows={data} keyOf={({ id }) => id} />
              )}
            </Section>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

type NowProps = { troubles: readonly TroubleShown[]; incidents: readonly Incident[]; mayAct: boolean };

/** Troubles of this moment, each with its incident or the button that opens one. */
export function Now({ troubles, incidents, mayAct }: NowProps) {
  const [t, line] = [useTranslations(INCIDENTS), useTranslations(HEALTH_LINE)];
  const router = useRouter();
  const { incidents: client } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation();
  const open = ({ part, name, detail, since, runbook }: TroubleShown) =>
    void run(
      () => client.open.mutate({ part, name, detail, since, runbook: RUNBOOKS.find((each) => each === runbook) ?? null }),
      ({ id }) => router.push(`/console/incidents/${id}`),
    );
  return (
    <>
      {error !== null && <Refused error={error} />}
      <ul className="todos" aria-label={t.now}>
        {troubles.map((trouble) => {
          const words = troubleWords(trouble, line);
          const incident = incidents.find(({ trouble: name, ended_at }) => name === trouble.name && ended_at === null);
          return (
            <li key={trouble.name} className="incident-now">
              <span>
                <strong>{words}</strong>, <Trans sentence={t.since} time={<Time at={trouble.since} />} />
              </span>
              {incident ? (
                <Link className="button" href={`/console/incidents/${incident.id}`}>
                  {t.goTo}
                </Link>
              ) : (
                mayAct && (
                  <Button look="primary" pending={pending} onClick={() => open(trouble)} aria-label={t.openOf(words)}>
                    {t.open}
                  </Button>
                )
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function columnsOf(t: Translations, line: WithShared<typeof HEALTH_LINE>): Column<Incident>[] {
  return [
    {
      id: "trouble",
      header: t.trouble,
      pinned: true,
      card: 1,
      cell: (incident) => <Link href={`/console/incidents/${incident.id}`}>{troubleWords(incident, line)}</Link>,
    },
    { id: "began", header: t.began, card: 2, cell: ({ began_at }) => <Time at={began_at} form="absolute" /> },
    {
      id: "ended",
      header: t.endedAt,
      card: 2.1,
      cell: ({ ended_at }) => (ended_at === null ? <strong>{t.stillOpen}</strong> : <Time at={ended_at} form="absolute" />),
    },
    { id: "owner", header: t.owner, card: 3, cell: ({ owner }) => (owner === null ? <None /> : <Data>{owner.name}</Data>) },
  ];
}
