"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { KeyValues } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";

/** What the installation decided. No secret is among it. */
export function InstallationFacts() {
  const trpc = useTRPC();
  const facts = useQuery(trpc.settings.read.queryOptions());
  if (facts.isPending) return <Skeleton rows={8} />;
  if (!facts.data) return <Trouble error={facts.error} onRetry={() => void facts.refetch()} />;
  const is = facts.data;
  return (
    <>
      <Section title="Organisation">
        <KeyValues
          items={[
            { key: "Mode", value: is.mode === "sandbox" ? "Sandbox: everything simulated" : "Live: real money" },
            { key: "Address", value: is.base_url },
            { key: "Brand", value: is.brand },
            { key: "Signing headers", value: <code>{is.header_prefix}Timestamp, -Nonce, -Signature</code> },
          ]}
        />
      </Section>
      <Section title="Quotes and approvals">
        <KeyValues
          items={[
            { key: "Quote lifetime", value: <Link href="/console/rates">Set for each pair</Link> },
            { key: "Drift tolerance", value: `${is.drift_tolerance_bps} bps between what an approver saw and the approval` },
            { key: "Rate source", value: is.rate_source === "fixed" ? "Fixed" : "Tickers and a fiat reference" },
            { key: "Oldest rate quoted from", value: `${is.rate_max_age_seconds} s` },
          ]}
        />
      </Section>
      <Section title="Callbacks">
        <KeyValues
          items={[
            { key: "Attempts", value: schedule(is.callback_delays_seconds) },
            { key: "Deadline of an attempt", value: `${is.callback_timeout_seconds} s` },
            { key: "Private hosts allowed", value: listed(is.callback_allowed_hosts) },
          ]}
        />
      </Section>
      <Section title="Access">
        <KeyValues
          items={[
            {
              key: "Two factors",
              value: is.two_factors_for_deciders ? "Required of admins, approvers and partners' owners" : "Left to each person",
            },
            { key: "A session ends", value: `after ${is.session_hours} hours, or ${is.session_idle_hours} without use` },
            {
              key: "Requests a second and key",
              value: `${limit(is.writes_per_second)} that write, ${limit(is.reads_per_second)} that read`,
            },
            { key: "Trusted proxies", value: listed(is.trusted_proxies) },
          ]}
        />
      </Section>
      <Section title="Retention">
        <KeyValues
          items={[
            { key: "API log", value: `${is.api_log_days} days` },
            { key: "Bodies of refused requests", value: `${is.refused_body_days} days` },
            { key: "Attempts of callbacks", value: `${is.retention_days.callback_attempts} days` },
            { key: "The provider's repetitions", value: `${is.retention_days.provider_events} days` },
            { key: "Quotes that lapsed", value: `${is.retention_days.lapsed_quotes} days` },
            { key: "Then in the archive", value: `${is.retention_days.archive} days` },
            { key: "Audit log, ledger and money", value: "For ever" },
          ]}
        />
      </Section>
    </>
  );
}

/** `at once, then after 1 min, 5 min, …`: each delay after the failure before it. */
function schedule(delays: readonly number[]): string {
  const words = delays.slice(1).map((seconds) => (seconds < 3_600 ? `${seconds / 60}\u00a0min` : `${seconds / 3_600}\u00a0h`));
  return `${delays.length}: at once, then after ${words.join(", ")}`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? "None" : items.join(", ");
}

function limit(perSecond: number): string {
  return perSecond === 0 ? "any number" : String(perSecond);
}
