import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { breakable, type Fault } from "#testing/broken-statements.ts";
import { silentLog } from "#testing/callbacks.ts";
import { type Change, type Contents, changeOf, contentsReader } from "#testing/database-contents.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { testContext, testSurfaceContext } from "#testing/surface.ts";
import {
  addWriteCaller,
  answerOf,
  openWriteStage,
  requestOf,
  WRITE_CALLS,
  type WriteCaller,
  type WriteStage,
} from "#testing/write-calls.ts";
import { operationsOf } from "./registry.ts";

/** Every writing operation is all or nothing, whatever happens to it or to concurrent requests: this compares the rows of all tables. */

/** Done before their nonce counts, and waited for: `safe-operations.test.ts` sends their copies. */
const DEPLOYMENTS = [
  "create_safe",
  "create_master_contract_1_3_0",
  "create_master_contract_1_4_1",
  "create_compatibility_fallback_handler",
];
/** They know no key and so no nonce: a repeat is the same again (`fiat-operations.test.ts`, `people-operations.test.ts`). */
const WITHOUT_NONCE = ["withdraw_fiat_callback", "topup_fiat_callback", "login_for_access_token", "logout"];
/**
 * How many of an operation's last statements are sent with the commit. They share its fate: a caller whose commit is not confirmed within
 * the limit gets 503, whether or not it succeeded.
 */
const WITH_COMMIT: Readonly<Record<string, number>> = { create_settlement: 1 };
const WRITES = [...operationsOf("settlement"), ...operationsOf("partner")].filter(
  ({ kind, id }) => kind === "write" && ![...DEPLOYMENTS, ...WITHOUT_NONCE].includes(id),
);

let bench: FiatBench;
let pool: OpenDatabase;
let owner: postgres.Sql;
let readContents: () => Promise<Contents>;
let stage: WriteStage;
let broken: ReturnType<typeof breakable>;
let callers: WriteCaller[];
const caller = (index = 0): WriteCaller => {
  const found = callers[index];
  if (found === undefined) throw new Error("so many callers there are not");
  return found;
};

beforeAll(async () => {
  bench = await openFiatBench();
  bench.state.safeBalanceBase = 10n ** 15n;
  owner = postgres(bench.database.url, { max: 4 });
  readContents = contentsReader(owner);
  pool = openDatabase({ url: bench.database.url, applicationName: "whole", maxConnections: 12, role: bench.database.webRole });
  broken = breakable(pool.sql);
  const ctx = { ...testContext(pool.db), evm: bench.ctx.evm, log: silentLog };
  stage = await openWriteStage(bench, ctx, testSurfaceContext(ctx));
  callers = [];
  for (let index = 0; index < 6; index += 1) callers.push(await addWriteCaller(stage));
});
afterAll(async () => {
  await owner.end();
  await pool.close();
  await bench.close();
});
beforeEach(() => void broken.disarm());

it("is walked for every operation that writes", () => {
  expect(WRITES.map(({ id }) => id).toSorted()).toEqual(Object.keys(WRITE_CALLS).toSorted());
});

type Sending = () => Promise<{ status: number; body: Record<string, unknown> }>;
type Limited = { limitMs?: number };

/** Everything is over, including work that continued after its caller got 503. */
async function contents(): Promise<Contents> {
  await vi.waitFor(
    async () => {
      expect(stage.surfaceContext.busy.count).toBe(0);
      const open = await owner`select 1 from pg_stat_activity where application_name = 'whole' and state <> 'idle'`;
      expect(open).toHaveLength(0);
    },
    { timeout: AT_ONCE_MS, interval: 5 },
  );
  return await readContents();
}

/** A separate request, ready to be sent any number of times. */
async function fresh(id: string, by: WriteCaller, { limitMs }: Limited = {}): Promise<Sending> {
  const call = await WRITE_CALLS[id]?.(stage, by);
  if (call === undefined) throw new Error(`no call of ${id}`);
  const nonce = randomUUID();
  const surfaceContext = limitMs === undefined ? stage.surfaceContext : { ...stage.surfaceContext, databaseLimitMs: limitMs };
  return () => answerOf({ surfaceContext }, requestOf(call, by, nonce));
}

async function comesTo(sendings: readonly Sending[]): Promise<{ statuses: number[]; change: (times?: number) => Change }> {
  const before = await contents();
  const answers = await Promise.all(sendings.map((send) => send()));
  const after = await contents();
  return { statuses: answers.map(({ status }) => status), change: (times) => changeOf(before, after, times) };
}
const accepted = (statuses: readonly number[]) => statuses.filter((status) => status < 300).length;

const NEIGHBOURS = [
  ["alone", () => []],
  ["with nine of the same key and of other keys", () => [...Array.from({ length: 4 }, () => caller()), ...callers.slice(1, 6)]],
] as const;

/** One after the other: some set what all of them share while they are made ready. */
async function freshOnes(id: string, by: readonly WriteCaller[], limited?: Limited): Promise<Sending[]> {
  const sendings: Sending[] = [];
  for (const each of by) sendings.push(await fresh(id, each, limited));
  return sendings;
}

describe.each(WRITES.map(({ id }, turn) => ({ id, turn })))("$id", ({ id, turn }) => {
  /** What one accepted request leaves, and how many statements its transaction takes. */
  let one: (times: number) => Change;
  let statements: number;
  beforeAll(async () => {
    // The first use of a key is recorded with the key.
    for (const send of await freshOnes(id, callers)) await send();
    const send = await fresh(id, caller());
    broken.disarm();
    const { statuses, change } = await comesTo([send]);
    statements = broken.disarm();
    expect(accepted(statuses)).toBe(1);
    one = change;
  });

  it("leaves the same each time", async () => {
    expect(Object.keys(one(1))).not.toEqual([]);
    const { statuses, change } = await comesTo([await fresh(id, caller(3))]);
    expect([accepted(statuses), change()]).toEqual([1, one(1)]);
  });

  describe.each(NEIGHBOURS)("%s", (where, neighbours) => {
    it("counts one of ten copies", async () => {
      const [copy, ...others] = await freshOnes(id, [caller(), ...neighbours()]);
      const copies = Array.from({ length: 10 }, () => copy).filter((send) => send !== undefined);
      const { statuses, change } = await comesTo([...copies, ...others]);
      expect(statuses.slice(0, 10).filter((status) => status === 401)).toHaveLength(9);
      expect(accepted(statuses), `${statuses}`).toBe(1 + others.length);
      expect(change()).toEqual(one(accepted(statuses)));
    });

    /** One of its statements after the other goes wrong. All requests are made ready first, so that each reading is the next one's first. */
    async function expectNothingLeft(each: readonly number[], faultOf: (at: number) => Fault, limited: Limited = {}): Promise<void> {
      const rounds: Sending[][] = [];
      for (const _ of each) rounds.push(await freshOnes(id, [caller(), ...neighbours()], limited));
      let before = await contents();
      for (const [round, at] of each.entries()) {
        broken.arm(faultOf(at), at);
        const statuses = (await Promise.all((rounds[round] ?? []).map((send) => send()))).map(({ status }) => status);
        broken.disarm();
        const about = `statement ${at} of ${statements}, which ${faultOf(at)}: ${statuses}`;
        if (where === "alone") expect(statuses[0], about).toBeGreaterThanOrEqual(500);
        const after = await contents();
        expect(changeOf(before, after), about).toEqual(one(accepted(statuses)));
        before = after;
      }
    }
    const middle = () => Math.ceil(statements / 2) + 1;

    // The two in turn, and in the other order for every other operation.
    it("leaves nothing of the request of which a statement fails or loses its connection", async () => {
      const each = where === "alone" ? Array.from({ length: statements }, (_, index) => index + 1) : [middle()];
      await expectNothingLeft(each, (at) => ((at + turn) % 2 === 0 ? "fails" : "loses its connection"));
    });

    it("leaves nothing of the request of which a statement stalls", async () => {
      const last = statements - (WITH_COMMIT[id] ?? 0);
      if (where === "alone") await expectNothingLeft([last], () => "stalls", { limitMs: 500 });
      else await expectNothingLeft([Math.min(last, middle())], () => "stalls", { limitMs: 1_500 });
    });
  });
});
