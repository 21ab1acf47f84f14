import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findLastAttestation } from "#db/queries/attestations/attestations.ts";
import { findLastSeal } from "#db/queries/audit/audit-seals.ts";
import { hashOfAttestation, readAttestation } from "#domain/attestation.ts";
import { openAttestationFolder } from "#server/adapters/attestation-folder.ts";
import { type AttestedDays, openAttestedDays } from "#testing/attested-days.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import type { AttestStep } from "./attest-day.ts";

let chain: TestChain;
let days: AttestedDays;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => days.close());
afterAll(() => chain.stop());

const files = () => readdirSync(days.path).toSorted();
const contentOf = (name: string | undefined) => readFileSync(join(days.path, name ?? ""), "utf8");
const rows = async () => (await days.bench.sql<{ day: string }[]>`select day from attestations order by 1`).map(({ day }) => day);

async function firstDay(): Promise<void> {
  days = await openAttestedDays(chain);
  await days.pay();
  await days.nextDay();
}

describe("the attestation of a day", () => {
  it("says what the ledger, the audit log, the pools and the chain hold, signed, in one file that nobody may write", async () => {
    await firstDay();
    const madeAt = await days.keep();
    const [name] = files();
    expect(files()).toHaveLength(1);
    expect(statSync(join(days.path, name ?? "")).mode & 0o777).toBe(0o444);
    const read = readAttestation(contentOf(name));
    if (read === null) throw new Error("it cannot be read");
    const { attestation, text, signature } = read;
    expect(days.ctx.auditKey.attested?.(text, signature)).toBe(true);
    expect(`${attestation.day}.json`).toBe(name);
    expect(attestation.made_at).toBe(madeAt?.toISOString());
    const [wallet = ""] = days.bench.addresses;
    const head = await findLastSeal(days.bench.db);
    expect(attestation).toMatchObject({
      previous: null,
      audit_log: { seq: head?.seq, hash: head?.hash },
      reconciliation: { day: attestation.day, differences: 0 },
      chains: [{ chain: chain.chain, confirmed_by: 0, wallets: 1, safes: 0 }],
    });
    const balance = (currency: string) => attestation.chains[0]?.balances.find((one) => one.currency === currency)?.amount;
    expect(balance("USDT")).toBe(String(await days.bench.tokenBalance(wallet)));
    expect(balance("ETH")).toBe(String(await days.bench.etherBalance(wallet)));
    const treasury = attestation.ledger.balances.find(({ account, currency }) => account === "treasury" && currency === "USDT");
    expect(treasury?.amount).toBe(balance("USDT"));
    expect(attestation.ledger.trial_balance.map(({ currency }) => currency).toSorted()).toEqual(["ETH", "KES", "USDC", "USDT"]);
    for (const { debit, credit } of attestation.ledger.trial_balance) expect(debit).toBe(credit);
    expect(attestation.liabilities).toEqual([
      { partner_id: days.partner.partnerId, kind: "account", currency: "KES", chain: null, decimals: 2, amount: "-1000000" },
    ]);
    const [{ count } = { count: 0 }] = await days.bench.sql<{ count: number }[]>`select count(*)::int as count from ledger_entries`;
    expect(attestation.ledger.entries).toBe(count);
    expect(attestation.positions.map(({ table }) => table)).toContain("transfers");
  });

  it("is made once, by one of two workers, and each writes the same bytes to its own folder", async () => {
    await firstDay();
    const other = mkdtempSync(join(tmpdir(), "attestations-"));
    try {
      const theirs = openAttestationFolder(other);
      await Promise.all([days.keep(), days.keep({}, theirs), days.keep()]);
      await Promise.all([days.keep(), days.keep({}, theirs)]);
      expect(await rows()).toHaveLength(1);
      expect(files()).toHaveLength(1);
      expect(readFileSync(join(other, files()[0] ?? ""), "utf8")).toBe(contentOf(files()[0]));
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it("continues from the one before, and hashes only the entries since", async () => {
    await firstDay();
    await days.keep();
    await days.pay();
    await days.nextDay();
    await days.keep();
    const [first, second] = files().map((name) => contentOf(name));
    const [one, two] = [readAttestation(first ?? ""), readAttestation(second ?? "")].map((read) => read?.attestation);
    expect(two?.previous).toEqual({ day: one?.day, hash: hashOfAttestation(first ?? "") });
    expect(two?.ledger.entries).toBeGreaterThan(one?.ledger.entries ?? 0);
    expect(two?.installation).toBe(one?.installation);
  });

  it.each<AttestStep>(["claimed", "read", "stored", "written"])("is there once when the worker dies after it has %s", async (at) => {
    await firstDay();
    const dying = days.keep({
      observe: (step) => {
        if (step === at) throw new Died("died");
      },
    });
    await expect(dying).rejects.toThrow(Died);
    const stored = await findLastAttestation(days.bench.db);
    await days.expireLeases();
    await days.keep();
    await days.keep();
    expect(await rows()).toHaveLength(1);
    expect(files()).toHaveLength(1);
    expect(contentOf(files()[0])).toBe((await findLastAttestation(days.bench.db))?.content);
    if (stored !== null) expect(contentOf(files()[0])).toBe(stored.content);
  });

  it.each([0, 1, 100])("is completed where a crash has left %i bytes of the file", async (bytes) => {
    await firstDay();
    await days.keep();
    const [name = ""] = files();
    const whole = contentOf(name);
    chmodSync(join(days.path, name), 0o600);
    truncateSync(join(days.path, name), bytes);
    await Promise.all([days.keep(), days.keep()]);
    expect(contentOf(name)).toBe(whole);
    expect(statSync(join(days.path, name)).mode & 0o777).toBe(0o444);
  });

  it("waits for the day's reconciliation, and until everything from before it is committed", async () => {
    await firstDay();
    expect(await days.keep({ settledSeconds: 60 })).toBeNull();
    await days.bench.sql`update reconciliations set finished_at = null, findings = null, differences = null`;
    expect(await days.keep()).toBeNull();
    expect(await rows()).toEqual([]);
  });
});

describe("no attestation is made", () => {
  it("while the folder has one that the database does not know: it was restored", async () => {
    await firstDay();
    await days.keep();
    await days.nextDay();
    writeFileSync(join(days.path, "2099-01-01.json"), contentOf(files()[0]));
    await expect(days.keep()).rejects.toThrow("the database does not know the attestation of 2099-01-01");
    expect(await rows()).toHaveLength(1);
  });

  it("while the folder's newest is another than the database's", async () => {
    await firstDay();
    await days.keep();
    const [name = ""] = files();
    chmodSync(join(days.path, name), 0o600);
    writeFileSync(join(days.path, name), contentOf(name).replace('"version":1', '"version":2'));
    await days.nextDay();
    await expect(days.keep()).rejects.toThrow("is another in the folder than in the database");
    expect(await rows()).toHaveLength(1);
  });

  it("while the second node shows another block, other balances, or nothing", async () => {
    const witness: RpcProxy = await startRpcProxy(chain.rpcUrl);
    days = await openAttestedDays(chain, { rpcUrls: [chain.rpcUrl, witness.url] });
    await days.pay();
    await days.nextDay();
    const hash = `0x${"f".repeat(64)}`;
    const lies: RpcProxy["rule"][] = [
      (method, [at]) =>
        method === "eth_getBlockByNumber" && at !== "latest" ? { alter: (block) => ({ ...(block as object), hash }) } : "pass",
      (method) => (method === "eth_call" ? { result: `0x${"1".padStart(64, "0")}` } : "pass"),
      () => "refuse",
    ];
    try {
      for (const lie of lies) {
        witness.rule = lie;
        await expect(days.keep()).rejects.toThrow(/another block|different balances|no second node confirms/);
        await days.expireLeases();
      }
      expect(await rows()).toEqual([]);
      witness.rule = () => "pass";
      await days.keep();
      expect(readAttestation(contentOf(files()[0]))?.attestation.chains).toMatchObject([{ confirmed_by: 1 }]);
    } finally {
      await witness.stop();
    }
  });
});
