import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { insertVerification } from "#db/queries/audit/audit-seals.ts";
import { openAuditKey } from "#domain/audit-key.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { newId } from "#domain/ids.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { callbackSecretOf, secretOfKey } from "#domain/sealed-place.ts";
import { newCallbackSecret } from "#domain/signing.ts";
import { openAttestationFolder } from "#server/adapters/attestation-folder.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { localKeySigner } from "#server/adapters/signer/local-key.ts";
import type { Context } from "#server/context.ts";
import type { Duty } from "#server/engines/duty.ts";
import { attestDay } from "#server/services/attestations/attest-day.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { workerDuties } from "#server/worker/duties.ts";
import { startTestChain, type TestChain } from "./chain.ts";
import { makeTestJournal } from "./journal.ts";
import { openTestSigners } from "./signers.ts";
import { type LogLine, testContext } from "./surface.ts";
import { openYear, type YearStage } from "./year-stage.ts";

const DAY_MS = 86_400_000;

export type YearService = YearStage & {
  ctx: Context;
  chain: TestChain;
  /** All duties of a worker. */
  duties: readonly Duty[];
  /** What they log. */
  lines: LogLine[];
};

/** A service that has worked for the year that `seed` makes, on a local chain: its wallet has paid, its books were closed yesterday, and its log was verified. */
export async function openYearService(seed: Parameters<typeof openYear>[0]): Promise<YearService> {
  const [year, chain] = await Promise.all([openYear(seed), startTestChain()]);
  const folder = mkdtempSync(join(tmpdir(), "attestations-"));
  const journal = makeTestJournal();
  const key = generatePrivateKey();
  const installation = randomUUID();
  await journal.open().begin(installation, []);
  const lines: LogLine[] = [];
  const base = testContext(year.db, lines);
  const auditKey = openAuditKey({ secret: randomBytes(32), publicKey: null, begins: null });
  await closeYesterday(year, { chain, address: privateKeyToAddress(key), installation, auditKey });
  const evm = openEvmChains([
    {
      chain: chain.chain,
      name: "Test chain",
      rpcUrls: [chain.rpcUrl],
      confirmations: 3,
      native: { currency: "ETH", decimals: 18 },
      tokens: (["USDT", "USDC"] as const).map((currency) => ({ currency, address: chain.tokens[currency], decimals: 6 })),
      bumpAfterSeconds: 600,
      rpcTimeoutMs: 5_000,
    },
  ]);
  const keys = [localKeySigner(async () => key)];
  const signers = openTestSigners({ keys, db: year.db, journal: journal.open(), findUnowed, evm, log: base.log, caps: [] });
  const received = { durationMs: 1, timings: {}, requestHeaders: {}, status: 200, responseHeaders: {}, responseBody: "", responseBytes: 0 };
  const ctx: Context = {
    ...base,
    evm,
    chains: evm,
    signers,
    auditKey,
    callbacks: { judge: base.callbacks.judge, send: async () => ({ ...received, remoteAddress: null, trouble: null }) },
    mailer: { available: true, send: async () => ({ outcome: "sent" }) },
  };
  const wiring = {
    ctx,
    config: {
      brand: "Service",
      baseUrl: "http://localhost:3000",
      retention: DEFAULT_RETENTION,
      rateMaxAgeSeconds: 120,
      fiatRail: { kind: "simulated" as const, name: FIRST_PROVIDER, secret: "a secret of tests", former: [] },
    },
    attestations: openAttestationFolder(folder),
    rateSource: { name: "test", observe: async () => [] },
    httpRails: new Map(),
    callAsProvider: async () => 200,
  };
  const { duties } = workerDuties(wiring, { workerId: randomUUID(), stopped: Promise.resolve() });
  await giveSecrets(year, ctx);
  await attestDay(ctx);
  return {
    ...year,
    ctx,
    chain,
    duties,
    lines,
    async close() {
      for (const { drain } of duties) await drain?.();
      await chain.stop();
      journal.remove();
      rmSync(folder, { recursive: true });
      await year.close();
    },
  };
}

type Closing = { chain: TestChain; address: `0x${string}`; installation: string; auditKey: Context["auditKey"] };

/** What a service has from the days before. */
async function closeYesterday({ db, owner }: YearStage, { chain, address, installation, auditKey }: Closing): Promise<void> {
  const [{ next, seq, hash } = { next: 0, seq: 0, hash: "" }] = await owner<{ next: number; seq: number; hash: string }[]>`
    select (select max(nonce)::int + 1 from transactions) as next, seq::int, hash from audit_seals order by audit_seals.seq desc limit 1`;
  await chain.fund(address);
  await chain.call("anvil_setNonce", address, `0x${next.toString(16)}`);
  await chain.mine(20);
  await owner`update wallets set address = ${address}, next_nonce = ${next}`;
  await owner`insert into signing_journal (installation, begun_at, records) values (${installation}, now(), 0)`;
  const at = new Date(Date.now() - DAY_MS);
  await owner`
    insert into reconciliations (day, started_at, begun_at, finished_at, rules, checked, differences, findings)
    values (to_char(${at}::timestamptz at time zone 'UTC', 'YYYY-MM-DD'), ${at}, ${at}, ${at}, 42, 1, 0, '[]')`;
  await owner`alter table audit_seals disable trigger user`;
  await owner`update audit_seals set signature = ${auditKey.sign?.({ seq, hash }) ?? null} where seq = ${seq}`;
  await owner`alter table audit_seals enable trigger user`;
  await insertVerification(db, { id: newId("verification", at), at, userId: null, seq, hash, durationMs: 1, flaws: 0, named: [] });
}

/** With them, callbacks are signed. */
async function giveSecrets({ owner }: YearStage, { vault }: Context): Promise<void> {
  for (const { id } of await owner<{ id: string }[]>`select id from partners`) {
    await owner`update api_keys set sealed_secret = ${vault.seal("a secret", secretOfKey(id))} where id = ${id}`;
    await owner`
      insert into callback_secrets (id, partner_id, sealed_secret, created_at)
      values (gen_random_uuid(), ${id}, ${vault.seal(newCallbackSecret(), callbackSecretOf(id))}, now())`;
  }
}
