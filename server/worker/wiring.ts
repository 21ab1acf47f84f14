import { createHttpRail, createProviderCaller } from "#server/adapters/fiat/http.ts";
import { createHttpRateSource } from "#server/adapters/rates/http/source.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import { readWorkerConfig, type WorkerConfig } from "#server/config.ts";
import type { FiatRail, RateSource } from "#server/ports.ts";
import { localAddress } from "#server/process/local-address.ts";
import { type Wired, wire } from "#server/wiring.ts";

/** What only a worker is wired to. */
export type WorkerWiring = Wired<WorkerConfig> & {
  /** null: rates are fixed. */
  rateSource: RateSource | null;
  /** null: the provider is simulated, and calls us by `callAsProvider`. */
  fiatRail: FiatRail | null;
  callAsProvider: ReturnType<typeof createProviderCaller>;
};

/** A worker's context, with the treasury's signers, the market and the fiat provider. */
export function workerWiring(): WorkerWiring {
  const config = readWorkerConfig();
  const wired = wire(config, "worker", { signers: openSigners(config.chains), auditSecret: config.auditKey });
  const { fiatRail } = config;
  return {
    ...wired,
    rateSource: config.rateHttp === null ? null : createHttpRateSource(config.rateHttp, wired.ctx),
    fiatRail:
      fiatRail.kind === "http"
        ? createHttpRail({ ...fiatRail, callbackBaseUrl: config.baseUrl, tracePlace: wired.ctx.tracer.place })
        : null,
    callAsProvider: createProviderCaller({ baseUrl: localAddress(config), secret: fiatRail.secret }),
  };
}
