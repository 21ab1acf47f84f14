import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { SYSTEM } from "#domain/access.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { concludeScreening } from "#domain/screening.ts";
import type { ChainInfo, EvmDirectory, LapsingDirectory, Screener } from "#server/ports.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { releasePayment } from "#server/services/holds/decide-hold.ts";
import type { TestDatabase } from "./database.ts";
import { addTerms, setRate } from "./factories.ts";
import { liftHalts } from "./halts.ts";
import { endLimits } from "./limits.ts";
import { addProvenPerson } from "./people.ts";
import { noScreening } from "./screening.ts";
import { issueKey, NO_CHAINS, NO_LAPSING_CHAINS, readAnswer, signedRequest, testContext, testSurfaceContext } from "./surface.ts";

/** A chain of any family, and what a test has of it. */
export type PaidFamily = Pick<TestDatabase, "db" | "sql"> & {
  chain: ChainInfo;
  evm?: EvmDirectory;
  lapsing?: LapsingDirectory;
  /** A token of six decimals, which the treasury has plenty of. */
  currency: string;
  /** A wallet of the service, which is in the database. */
  treasury: string;
  newWallet(): string | Promise<string>;
  /** Addresses that no settlement may have, by what they are. */
  refused: Readonly<Record<string, string>>;
  /** A pass of a worker, and the blocks that make final what it did. */
  work(): Promise<void>;
  /** What an address has of the token, in base units. */
  held(owner: string): Promise<bigint>;
  /** What a transaction carries besides the payment, as text; left out: nothing. */
  memoIn?(hash: string): Promise<string>;
};

/** 1,000.00 KES at 0.0077, less the fee of 0.50. */
const [SOURCE, NET, NET_BASE] = [100_000, 7.2, 7_200_000n];
const PASSES = 15;
const REFERENCE = "Invoice 7/2026 é";

export type ConformanceStage = Awaited<ReturnType<typeof openConformanceStage>>;

/** The settlement surface over that chain, and a partner's signed calls. */
export async function openConformanceStage(family: PaidFamily) {
  const { db, chain, evm = NO_CHAINS, lapsing = NO_LAPSING_CHAINS, currency } = family;
  const named = new Set<string>();
  const screener: Screener = {
    ...noScreening,
    isOn: true,
    screen: async (destinations) =>
      destinations.map((destination) => {
        const answer = named.has(destination.address) ? ("hit" as const) : ("clear" as const);
        const word = { kind: "list" as const, source: "test", block: null, version: "1", detail: null, askedAt: new Date() };
        return concludeScreening(destination, [{ ...word, answer }]);
      }),
  };
  const chains = { list: () => [chain], find: (name: string) => (name === chain.chain ? chain : null) };
  const ctx = { ...testContext(db), chains, evm, lapsing, screener };
  const surface = testSurfaceContext(ctx);
  await addTerms(db, { chain: chain.chain, destinationCurrency: currency });
  await setRate(db, "0.0077", { sourceCurrency: "KES", destinationCurrency: currency });
  const key = await issueKey(ctx);
  // The treasury's wallets come into the database.
  await family.work();

  async function call(method: "GET" | "POST", target: string, body?: object) {
    const parts = { method, target, ...(body && { body: JSON.stringify(body) }) };
    return readAnswer(await handle(REGISTRY.settlement.surface, surface, REGISTRY.settlement.bindings, signedRequest(key, parts)));
  }
  const wish = (wallet: string) => ({
    source_amount: SOURCE,
    source_currency: "KES",
    destination_currency: currency,
    external_merchant_id: "merchant-1",
    chain: chain.chain,
    wallet_address: wallet,
    callback_url: "http://localhost:9/callback",
  });
  const create = (wallet: string) => call("POST", "/api/v1/settlements", wish(wallet));
  return {
    ctx,
    named,
    call,
    wish,
    create,
    confirm: (id: string, reference = `ref-${id}`) => call("POST", `/api/v1/settlements/${id}/confirm`, { external_tx_id: reference }),
    read: async (id: string) => (await call("GET", `/api/v1/settlements/${id}`)).body,
    async quote(wallet: string): Promise<string> {
      const answer = await create(wallet);
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
      return String(answer.body.tx_id);
    },
  };
}

/**
 * What a partner meets is the same on every family: refused addresses, a payment from create to its callback, and what a limit, a halt and a
 * screening do to it. Each effect is read from the chain and the rows.
 */
export async function expectConformance(family: PaidFamily, stage?: ConformanceStage): Promise<void> {
  const on = { family, stage: stage ?? (await openConformanceStage(family)) };
  await refusesAddresses(on);
  await paysOnce(on);
  await keepsLimits(on);
  await keepsHalts(on);
  await keepsScreening(on);
}

type On = { family: PaidFamily; stage: ConformanceStage };

async function refusesAddresses({ family, stage }: On): Promise<void> {
  const token = family.chain.tokens.find(({ currency }) => currency === family.currency)?.address;
  const before = await countSettlements(family);
  for (const [what, address] of Object.entries({ ...family.refused, "the treasury's own": family.treasury, "the token": token ?? "" })) {
    const { status, body } = await stage.create(address);
    expect({ ...body, what, status }).toMatchObject({
      what,
      status: 422,
      code: "invalid_wallet_address",
      errors: [{ pointer: "/wallet_address", code: "invalid_wallet_address", message: expect.stringMatching(/^The .*\.$/) }],
    });
  }
  expect(await countSettlements(family)).toBe(before);
}

async function paysOnce({ family, stage }: On): Promise<void> {
  const wallet = await family.newWallet();
  const made = await stage.create(wallet);
  expect(made).toMatchObject({
    status: 201,
    body: { status: "quoted", wallet_address: wallet, destination_amount: NET, platform_fee: 0.5 },
  });
  const id = String(made.body.tx_id);
  expect(await stage.confirm(id, REFERENCE)).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: null } });
  expect(await stage.confirm(id, REFERENCE)).toMatchObject({ status: 200, body: { status: "processing" } });
  expect(await stage.confirm(id, "another")).toMatchObject({ status: 409, body: { code: "external_tx_id_conflict" } });
  await workUntilEnded(family, id);
  const { tx_hash: hash, ...paid } = await stage.read(id);
  expect(paid).toMatchObject({ status: "executed", chain: family.chain.chain, executed_at: expect.any(String) });
  const transfers = await family.sql`select state, tx_hash from transfers where owner_id = ${id}`;
  expect(transfers).toEqual([{ state: "executed", tx_hash: hash }]);
  await family.work();
  expect(await family.held(wallet)).toBe(NET_BASE);
  if (family.memoIn) expect(await family.memoIn(String(hash))).toContain(REFERENCE);
  const callbacks = await family.sql`select event, body::jsonb->>'tx_hash' as hash from callbacks where subject_id = ${id}`;
  expect(callbacks).toEqual([{ event: "settlement.executed", hash }]);
}

async function keepsLimits(on: On): Promise<void> {
  const { family, stage } = on;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  const limit = {
    id: `limit-${randomUUID().slice(0, 8)}`,
    kind: "velocity",
    mode: "enforce",
    countedBy: "all",
    windowSeconds: 3_600,
  } as const;
  await openLimits({ db: family.db }, [{ ...BLANK_LIMIT, ...limit, chain: family.chain.chain, amountAtto: 1n }], "for a test");
  try {
    expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: "hold" } });
    await expectUnpaid(on, { id, wallet });
  } finally {
    await endLimits(family.sql);
  }
  const { by } = await addProvenPerson(family.db, "admin");
  await releasePayment(stage.ctx, { purpose: "settlement", ownerId: id, by, reason: "Looked into it." });
  await workUntilEnded(family, id);
  expect(await family.held(wallet)).toBe(NET_BASE);
}

async function keepsHalts(on: On): Promise<void> {
  const { family, stage } = on;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  const halt = { scope: { kind: "chain", key: family.chain.chain }, cause: "operator", detail: "for a test", by: SYSTEM } as const;
  await family.db.transaction((tx) => haltScope(tx, halt));
  try {
    expect(await stage.create(await family.newWallet())).toMatchObject({ status: 503, body: { code: "liquidity_unavailable" } });
    expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing" } });
    await expectUnpaid(on, { id, wallet });
  } finally {
    await liftHalts(family.sql);
  }
  await workUntilEnded(family, id);
  expect(await family.held(wallet)).toBe(NET_BASE);
}

async function keepsScreening(on: On): Promise<void> {
  const { family, stage } = on;
  const wallet = await family.newWallet();
  const id = await stage.quote(wallet);
  stage.named.add(wallet);
  expect(await stage.confirm(id)).toMatchObject({ status: 200, body: { status: "processing", waiting_reason: "hold" } });
  await expectUnpaid(on, { id, wallet });
}

/** Workers had their chance, and nothing is signed or has moved. */
async function expectUnpaid({ family }: On, { id, wallet }: { id: string; wallet: string }): Promise<void> {
  for (let pass = 0; pass < 3; pass += 1) await family.work();
  const rows = await family.sql`select state, tx_hash, (select count(*)::int from lapsing_attempts a where a.transfer_id = t.id)
      + (select count(*)::int from transactions x where x.transfer_id = t.id) as signed from transfers t where owner_id = ${id}`;
  expect(rows).toMatchObject([{ tx_hash: null, signed: 0 }]);
  expect(await family.held(wallet)).toBe(0n);
}

async function workUntilEnded({ sql, work }: PaidFamily, id: string): Promise<void> {
  for (let pass = 0; pass < PASSES; pass += 1) {
    await sql`update transfers set rest_until = null where owner_id = ${id}`;
    await work();
    const [row] = await sql`select status from settlements where id = ${id}`;
    if (row?.status !== "processing") return;
  }
}

async function countSettlements({ sql }: PaidFamily): Promise<number> {
  const [row] = await sql`select count(*)::int as count from settlements`;
  return row?.count;
}
