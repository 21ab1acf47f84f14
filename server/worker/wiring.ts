import type { AttestationFolder } from "#domain/attestation.ts";
import { openAttestationFolder } from "#server/adapters/attestation-folder.ts";
import { createHttpRail, createProviderCaller } from "#server/adapters/fiat/http.ts";
import { createHttpRateSource } from "#server/adapters/rates/http/source.ts";
import { connectSigners } from "#server/adapters/signer-socket/connect.ts";
import { readWorkerConfig, type WorkerConfig } from "#server/config.ts";
import type { FiatRail, RateSource } from "#server/ports.ts";
import { localAddress } from "#server/process/local-address.ts";
import { type Wired, wire } from "#server/wiring.ts";

/** What only a worker is wired to. */
export type WorkerWiring = Wired<WorkerConfig> & {
  /** Where the daily attestations are written; null: nowhere, or there is no key to sign them. */
  attestations: AttestationFolder | null;
  /** null: rates are fixed. */
  rateSource: RateSource | null;
  /** The rails of the HTTP providers, by name. */
  httpRails: ReadonlyMap<string, FiatRail>;
  /** How the simulated provider calls us, where that is the one for new orders. */
  callAsProvider: ReturnType<typeof createProviderCaller>;
};

/** A worker's context, with the signer's socket, the market and the fiat provider. */
export function workerWiring(): WorkerWiring {
  const config = readWorkerConfig();
  const signers = connectSigners(
    config.signerSocket,
    config.chains.map(({ chain }) => chain),
  );
  const wired = wire(config, "worker", { signers, lapsingSigners: signers.lapsing, auditSecret: config.auditKey, mail: config.mail });
  const reached = { callbackBaseUrl: config.baseUrl, tracePlace: wired.ctx.tracer.place };
  return {
    ...wired,
    attestations: config.attestationsDir === null || config.auditKey === null ? null : openAttestationFolder(config.attestationsDir),
    rateSource: config.rateHttp === null ? null : createHttpRateSource(config.rateHttp, wired.ctx),
    httpRails: new Map(config.httpRails.map((rail) => [rail.name, createHttpRail({ ...rail, ...reached })])),
    callAsProvider: createProviderCaller({ baseUrl: localAddress(config), secret: config.fiatRail.secret }),
  };
}
