"use client";

import { useQuery } from "@tanstack/react-query";
import { Link } from "../../_components/controls/link.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { FACTS } from "./words.ts";

/** The installation's settings, without secrets. */
export function InstallationFacts() {
  const t = useTranslations(FACTS);
  const trpc = useTRPC();
  const facts = useQuery(trpc.settings.read.queryOptions());
  if (facts.isPending) return <Skeleton rows={8} />;
  if (!facts.data) return <ErrorState error={facts.error} onRetry={() => void facts.refetch()} />;
  const is = facts.data;
  const { organisation, quotes, callbacks, access, retention, days, seconds } = t;
  const listed = (items: readonly string[]) => (items.length === 0 ? t.none : <Data>{items.join(", ")}</Data>);
  const header = `${is.header_prefix}Timestamp, -Nonce, -Signature`;
  return (
    <>
      <Section title={organisation.title}>
        <KeyValues
          items={[
            { key: organisation.mode, value: is.mode === "sandbox" ? organisation.sandbox : organisation.live },
            { key: organisation.address, value: <Data>{is.base_url}</Data> },
            { key: organisation.brand, value: <Data>{is.brand}</Data> },
            { key: organisation.headers, value: <code translate="no">{header}</code> },
          ]}
        />
      </Section>
      <Section title={quotes.title}>
        <KeyValues
          items={[
            { key: quotes.lifetime, value: <Link href="/console/rates">{quotes.eachPair}</Link> },
            { key: quotes.drift, value: quotes.driftOf(is.drift_tolerance_bps) },
            { key: quotes.source, value: is.rate_source === "fixed" ? quotes.fixed : quotes.tickers },
            { key: quotes.oldest, value: seconds(is.rate_max_age_seconds) },
          ]}
        />
      </Section>
      <Section title={callbacks.title}>
        <KeyValues
          items={[
            { key: callbacks.attempts, value: callbacks.schedule(is.callback_delays_seconds) },
            { key: callbacks.deadline, value: seconds(is.callback_timeout_seconds) },
            { key: callbacks.privateHosts, value: listed(is.callback_allowed_hosts) },
          ]}
        />
      </Section>
      <Section title={access.title}>
        <KeyValues
          items={[
            { key: access.factors, value: is.two_factors_for_deciders ? access.required : access.leftToEach },
            { key: access.session, value: access.sessionAfter(is.session_hours, is.session_idle_hours) },
            { key: access.requests, value: access.requestsOf(is.writes_per_second, is.reads_per_second) },
            { key: access.proxies, value: listed(is.trusted_proxies) },
          ]}
        />
      </Section>
      <Section title={retention.title}>
        <KeyValues
          items={[
            { key: retention.log, value: days(is.api_log_days) },
            { key: retention.bodies, value: days(is.refused_body_days) },
            { key: retention.attempts, value: days(is.retention_days.callback_attempts) },
            { key: retention.repetitions, value: days(is.retention_days.provider_events) },
            { key: retention.quotes, value: days(is.retention_days.lapsed_quotes) },
            { key: retention.archive, value: days(is.retention_days.archive) },
            { key: retention.rest, value: retention.ever },
          ]}
        />
      </Section>
    </>
  );
}
