import { expect } from "vitest";
import { concludeScreening } from "#domain/screening.ts";
import type { ChainInfo, EvmDirectory, LapsingDirectory, Screener } from "#server/ports.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import type { TestDatabase } from "./database.ts";
import { addTerms, setRate } from "./factories.ts";
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
  /** Lets the token's issuer block a wallet; left out: a test cannot. */
  block?(wallet: string): Promise<void>;
  /** A pass of a worker, and the blocks that make final what it did. */
  work(): Promise<void>;
  /** What an address has of the token, in base units. */
  held(owner: string): Promise<bigint>;
  /** How far the cost of a preview may be from what is booked, in per cent. */
  costTolerance: number;
  /** What a transaction carries besides the payment, as text; left out: nothing. */
  memoIn?(hash: string): Promise<string>;
};

/** 1,000.00 KES, of which the recipient gets 7.20 at 0.0077, less the fee of 0.50. */
const SOURCE = 100_000;

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
