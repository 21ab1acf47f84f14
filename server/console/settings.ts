import { toWire } from "#contract/wire.ts";
import { REFUSED_BODY_DAYS } from "#domain/api-request.ts";
import { ATTEMPT_TIMEOUT_MS, RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from "#domain/session.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";

/** How the installation is set up, for the operator's people to read: it is changed where it is installed. */
export const settingsRouter = router({
  read: operatorProcedure().query(({ ctx: { settings, services } }) => ({
    ...toWire(settings, "mode", "brand", "baseUrl", "rateSource", "rateMaxAgeSeconds", "callbackAllowedHosts", "trustedProxies"),
    ...toWire(settings.rateLimits, "writesPerSecond", "readsPerSecond"),
    ...toWire(services.policy, "driftToleranceBps"),
    header_prefix: `X-${settings.brand}-`,
    callback_delays_seconds: [0, ...RETRY_DELAYS_SECONDS],
    callback_timeout_seconds: ATTEMPT_TIMEOUT_MS / 1_000,
    two_factors_for_deciders: services.entryRules.requireTotpForDeciders,
    session_hours: SESSION_LIFETIME_MS / 3_600_000,
    session_idle_hours: SESSION_IDLE_MS / 3_600_000,
    api_log_days: settings.retention.api_log,
    retention_days: { ...settings.retention },
    refused_body_days: REFUSED_BODY_DAYS,
  })),
});
