"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { troubleWords } from "../../../_components/frame/trouble-words.ts";
import { useTroubles } from "../../../_components/frame/use-troubles.ts";
import { HEALTH_LINE } from "../../../_components/frame/words.ts";
import { Empty, QueryBoundary, Skeleton } from "../../../_components/lists/list-states.tsx";
import { Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { columnsOf, Now } from "../incidents.tsx";
import { INCIDENTS, PAGE } from "../words.ts";

const LOOK_EVERY_MS = 3_000;

/** One trouble before anybody works on it, with its earlier incidents. Once somebody opens its incident, everybody here goes there. */
export function TroublePage({ name, mayAct }: { name: string; mayAct: boolean }) {
  const [t, page, line] = [useTranslations(INCIDENTS), useTranslations(PAGE), useTranslations(HEALTH_LINE)];
  const list = useQuery(useTRPC().incidents.list.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS }));
  const trouble = useTroubles().find((each) => each.name === name);
  const router = useRouter();
  const open = list.data?.data.find(({ trouble: of, ended_at }) => of === name && ended_at === null)?.id;
  useEffect(() => {
    if (open !== undefined) router.replace(`/console/incidents/${open}`);
  }, [open, router]);
  return (
    <>
      <PageHeader
        title={trouble === undefined ? t.trouble : troubleWords(trouble, line)}
        within={{ href: "/console/incidents", label: page.title }}
      />
      <QueryBoundary of={list} waiting={<Skeleton rows={4} />}>
        {({ data }) => {
          const earlier = data.filter(({ trouble: of }) => of === name);
          return (
            <>
              <Section title={t.now}>
                {trouble === undefined ? <Empty title={t.over} /> : <Now troubles={[trouble]} incidents={data} mayAct={mayAct} />}
              </Section>
              {earlier.length > 0 && (
                <Section title={t.earlier}>
                  <Table caption={t.earlier} columns={columnsOf(t, line)} rows={earlier} keyOf={({ id }) => id} />
                </Section>
              )}
            </>
          );
        }}
      </QueryBoundary>
    </>
  );
}
