import { API_LOG_DAYS, REFUSED_BODY_DAYS } from "#domain/api-request.ts";
import { ATTEMPT_TIMEOUT_MS, RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from "#domain/session.ts";

/** What an installation decided, as far as the console shows it. Never a secret, never an address with one in it. */
export type InstallationFacts = {
  mode: "sandbox" | "live";
  brand: string;
  baseUrl: string;
  rateMaxAgeSeconds: number;
  rateSource: "fixed" | "http";
  rateLimits: { writesPerSecond: number; readsPerSecond: number };
  trustedProxies: readonly string[];
  callbackAllowedHosts: readonly string[];
};

/** In wire names, with what the service itself holds to. */
export function renderSettings(facts: InstallationFacts, rules: { driftToleranceBps: number; requireTotpForDeciders: boolean }) {
  return {
    mode: facts.mode,
    brand: facts.brand,
    header_prefix: `X-${facts.brand}-`,
    base_url: facts.baseUrl,
    drift_tolerance_bps: rules.driftToleranceBps,
    rate_source: facts.rateSource,
    rate_max_age_seconds: facts.rateMaxAgeSeconds,
    callback_delays_seconds: [0, ...RETRY_DELAYS_SECONDS],
    callback_timeout_seconds: ATTEMPT_TIMEOUT_MS / 1_000,
    callback_allowed_hosts: [...facts.callbackAllowedHosts],
    writes_per_second: facts.rateLimits.writesPerSecond,
    reads_per_second: facts.rateLimits.readsPerSecond,
    trusted_proxies: [...facts.trustedProxies],
    two_factors_for_deciders: rules.requireTotpForDeciders,
    session_hours: SESSION_LIFETIME_MS / 3_600_000,
    session_idle_hours: SESSION_IDLE_MS / 3_600_000,
    api_log_days: API_LOG_DAYS,
    refused_body_days: REFUSED_BODY_DAYS,
  };
}
