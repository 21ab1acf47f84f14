import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { insertLimit } from "#db/queries/exposure/limits.ts";
import { insertTerms } from "#db/queries/rates/pair-terms.ts";
import { BLANK_LIMIT, DEFAULT_LIMITS } from "#domain/default-limits.ts";
import type { LimitTerms } from "#domain/exposure-limit.ts";
import { newId } from "#domain/ids.ts";
import { termsFingerprint } from "#domain/rules-in-force.ts";
import type { Transfer } from "#domain/transfer.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { openLimits, setLimit } from "#server/services/exposure/set-limit.ts";
import { haltScope, listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { setPairTerms } from "#server/services/rates/change-terms.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { withSignatures } from "#server/services/transfers/find-unsigned.ts";
import { findUnsignedRules } from "#server/services/transfers/find-unsigned-rules.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import type { DecidingPerson } from "#testing/deciding-people.ts";
import { addPartner } from "#testing/factories.ts";
import { addProvenPerson, type TestPerson } from "#testing/people.ts";
import { MAXIMUM, openSigningStage, type SigningStage } from "#testing/signing-stage.ts";

/**
 * In live mode rules that hold for many payments count as a passkey has signed them: limits, the maxima of pairs, the approval policy and lifts of
 * halts. Rows that the web process's log-in can write widen none of them (docs/decisions/signed-rules.md).
 */

let chain: TestChain;
let stage: SigningStage;
let worker: ReturnType<SigningStage["newTransfers"]>;
let [proposer, signer]: [TestPerson, DecidingPerson] = [] as never;
const accepted = new Set<string>();
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  stage = await openSigningStage(chain);
  accepted.clear();
  for (const terms of await stage.sql<Stored[]>`select * from pair_terms`) accepted.add(fingerprintOf(terms));
  const rules = findUnsignedRules(live(), accepted);
  const signers = stage.signersOf({ findUnowed: withSignatures(live(), findUnowed), findUnsignedRules: rules });
  worker = stage.newTransfers({ ctx: { ...stage.ctx, db: processOf(stage.db, "worker"), signers } });
  [proposer, signer] = [await addProvenPerson(stage.db, "admin"), await stage.addSigner()];
  await stage.tamper("update passkey_keys set registered_at = registered_at - interval '2 days'");
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

type Stored = Record<"source_currency" | "destination_currency" | "chain" | "maximum_source_minor", string> &
  Record<"partner_id" | "two_approvals_above_minor" | "batch_maximum_source_minor", string | null>;
const live = () => ({ ...stage.powers, ...stage.web(), mode: "live" as const });
const REASON = "Looked into.";

function fingerprintOf(row: Stored): string {
  const whole = (text: string | null) => (text === null ? null : BigInt(text));
  const { source_currency: sourceCurrency, destination_currency: destinationCurrency, chain: on, partner_id: partnerId } = row;
  const thresholds = {
    maximumSourceMinor: BigInt(row.maximum_source_minor),
    twoApprovalsAboveMinor: whole(row.two_approvals_above_minor),
    batchMaximumSourceMinor: whole(row.batch_maximum_source_minor),
  };
  return termsFingerprint({ sourceCurrency, destinationCurrency, chain: on, partnerId }, thresholds);
}

/** Confirmed by the passkey of a second person, as it is proposed. */
async function signed(proposed: Promise<{ proposal?: { id: string }; proposalId?: string | null }>): Promise<void> {
  const { proposal, proposalId } = await proposed;
  const id = proposal?.id ?? proposalId ?? "";
  const decision = await stage.askedBy(confirmProposal(live(), { by: signer.by, id }));
  await confirmProposal(live(), { by: { ...signer.by, signature: await stage.sign(signer, decision) }, id });
}
/** A statement of the web process's log-in. */
const asWeb = async (statement: string) => void (await processOf(stage.db, "web").execute(sql.raw(statement)));

async function owed(amountMinor = MAXIMUM): Promise<Transfer> {
  const { id } = await stage.newQuote(amountMinor);
  await stage.confirm(stage.partner, id);
  const [row] = await stage.sql<{ id: string }[]>`select id from transfers where owner_id = ${id}`;
  return await stage.transfer(row?.id ?? "");
}
/** Whether it is paid, and what it waits for. */
async function outcome({ id }: Transfer): Promise<string> {
  await stage.run(worker, [id], 6);
  const { state, waitingReason } = await stage.transfer(id);
  return state === "executed" ? "paid" : (waitingReason ?? state);
}
const paid = "paid";

it("pays by the defaults, and by terms once the settings accept them", async () => {
  const named = [...accepted];
  accepted.clear();
  await openLimits(stage.ctx);
  const payment = await owed();
  expect(await outcome(payment)).toMatch(
    /^No passkey has signed the maximum of KES to USDT .* and the signer's settings do not accept it\.$/,
  );
  for (const fingerprint of named) accepted.add(fingerprint);
  expect(await outcome(payment)).toBe(paid);
});

describe("a limit", () => {
  const narrow = {
    ...BLANK_LIMIT,
    kind: "velocity",
    mode: "enforce",
    countedBy: "partner",
    windowSeconds: 86_400,
    amountAtto: 1n,
  } as const;
  const set = (id: string, terms: LimitTerms, expectedVersion: number) =>
    signed(setLimit(live(), { by: proposer.by, id, terms, expectedVersion, reason: REASON }));
  const wide = { ...narrow, amountAtto: 10n ** 30n };
  /** As the web process's log-in can write it. */
  const forge = (id: string, version: number, terms: LimitTerms) =>
    processOf(stage.db, "web").transaction((tx) =>
      insertLimit(tx, { ...terms, id, version, reason: REASON, madeBy: signer.id, madeAt: new Date() }),
    );

  it("that two people have set counts, and so does their next version", async () => {
    await set("by-day", wide, 0);
    expect(await outcome(await owed())).toBe(paid);
    await set("by-day", { ...wide, mode: "off" }, 1);
    expect(await outcome(await owed())).toBe(paid);
  });

  it("that a row alone widens keeps everything waiting, until two people have set it again", async () => {
    await set("by-day", narrow, 0);
    await forge("by-day", 2, wide);
    const payment = await owed();
    expect(await outcome(payment)).toBe("No passkey has signed version 2 of the limit by-day, and the signer's settings do not accept it.");
    await set("by-day", { ...wide, amountAtto: 10n ** 29n }, 2);
    expect(await outcome(payment)).toBe(paid);
    expect(await listOpenHalts(stage.ctx)).toEqual([]);
  });

  it("that a default becomes again, after people have changed it, is no default", async () => {
    await openLimits(stage.ctx);
    const [hour] = DEFAULT_LIMITS.filter(({ id }) => id === "default-hour");
    if (hour === undefined) throw new Error("there is no such default");
    const { id, ...terms } = hour;
    await set(id, { ...terms, timesMaximum: 1 }, 1);
    expect(await outcome(await owed(MAXIMUM / 2n))).toBe(paid);
    await forge(id, 3, terms);
    expect(await outcome(await owed())).toMatch(/^No passkey has signed version 3 of the limit default-hour/);
  });

  it("of one partner's that a row adds holds up that partner alone", async () => {
    const { partnerId } = await addPartner(stage.db);
    await forge("own", 1, { ...wide, partnerId });
    expect(await outcome(await owed())).toBe(paid);
    await forge("other", 1, { ...wide, partnerId: stage.partner.partnerId });
    expect(await outcome(await owed())).toMatch(/^No passkey has signed version 1 of the limit other/);
  });

  it("that is taken away without another version stays, and so does what it has counted", async () => {
    await set("by-day", wide, 0);
    const refused = (statement: string) => expect(asWeb(statement)).rejects.toMatchObject({ cause: { code: "23001" } });
    await refused("update exposure_limits set replaced_at = now() where id = 'by-day'");
    await refused(`with old as (update exposure_limits set replaced_at = now() where id = 'by-day' returning *)
      insert into exposure_limits (id, version, kind, mode, reason, made_at, replaced_at) select id, 2, kind, mode, reason, made_at, now() from old`);
    expect(await outcome(await owed())).toBe(paid);
    expect((await stage.sql`select from exposure_counters where limit_id = 'by-day' and amount_atto > 0`).length).toBe(1);
    await refused("update exposure_counters set amount_atto = 0");
    await refused("update exposure_counters set begins = begins - interval '2 days'");
    await refused(`insert into exposure_counters select limit_id, counter, begins - interval '1 hour', -amount_atto from exposure_counters
      on conflict (limit_id, counter, begins) do update set amount_atto = excluded.amount_atto`);
  });
});

describe("the maximum of a pair", () => {
  const owner = () => ({ sourceCurrency: "KES", destinationCurrency: "USDT", chain: chain.chain, partnerId: null });
  async function newest() {
    const [row] = await stage.sql<Record<string, never>[]>`select * from pair_terms where partner_id is null order by version desc limit 1`;
    return row ?? {};
  }
  const base = {
    enabled: true,
    spreadBps: 35,
    platformFeeBase: 500_000n,
    minimumSourceMinor: 100n,
    maximumSourceMinor: MAXIMUM,
    twoApprovalsAboveMinor: 10n * MAXIMUM,
    batchMaximumSourceMinor: null,
    quoteLifetimeSeconds: 300,
    approvedLifetimeSeconds: 1_800,
  };
  const change = (terms: Partial<typeof base>, expectedVersion: number) =>
    setPairTerms(live(), { by: proposer.by, owner: owner(), terms: { ...base, ...terms }, expectedVersion, reason: REASON });
  const forge = (terms: Partial<typeof base>, version: number, partnerId: string | null = null) =>
    insertTerms(processOf(stage.db, "web"), {
      ...owner(),
      ...base,
      ...terms,
      partnerId,
      id: newId("terms", new Date()),
      version,
      withdrawn: false,
      createdAt: new Date(),
      createdBy: "user:x",
    });

  it("that two people have raised counts; one person changes the spread", async () => {
    await signed(change({ maximumSourceMinor: 2n * MAXIMUM }, 2));
    await change({ maximumSourceMinor: 2n * MAXIMUM, spreadBps: 40 }, 3);
    expect(await newest()).toMatchObject({ version: 4 });
    expect(await outcome(await owed(2n * MAXIMUM))).toBe(paid);
  });

  it("that a row raises pays nothing that was quoted by it", async () => {
    await forge({ maximumSourceMinor: 9n * MAXIMUM }, 3);
    expect(await outcome(await owed(8n * MAXIMUM))).toBe(
      `No passkey has signed the maximum of KES to USDT on ${chain.chain} in version 3 of its terms, and the signer's settings do not accept it.`,
    );
  });

  it("that the settings accept no longer counts once people have signed another", async () => {
    await signed(change({ maximumSourceMinor: MAXIMUM / 2n }, 2));
    await forge({}, 4);
    expect(await outcome(await owed())).toMatch(/^No passkey has signed the maximum .* in version 4 /);
  });

  it("of one partner may be its pair's, and nothing else without a signature", async () => {
    await forge({ spreadBps: 20 }, 1, stage.partner.partnerId);
    expect(await outcome(await owed())).toBe(paid);
    await forge({ maximumSourceMinor: 3n * MAXIMUM }, 2, stage.partner.partnerId);
    expect(await outcome(await owed())).toMatch(/in version 2 of its terms/);
  });
});

describe("the approval policy", () => {
  const rule = {
    id: "large",
    partner_id: null,
    source_currency: "KES",
    destination_currency: null,
    chain: null,
    amount: { of: "source" as const, from: "900.00", below: null },
    hints: [],
    approvals: 1,
    who: "deciders" as const,
    people: [],
  };
  const set = (rules: (typeof rule)[], expectedVersion: number) =>
    signed(setPolicy(live(), { by: proposer.by, rules, expectedVersion, reason: REASON }));
  const forge = (version: number) =>
    asWeb(
      `insert into approval_policies (id, version, rules, hints, reason, made_at) values ('ap_${version}', ${version}, '[]', '{}', 'x', now())`,
    );

  it("that two people have set counts", async () => {
    await set([rule], 0);
    expect(await outcome(await owed(50_000n))).toBe(paid);
  });

  it("that a row empties pays nothing that was quoted by it, also once people have set another", async () => {
    await set([rule], 0);
    await forge(2);
    const payment = await owed();
    const waits = "No passkey has signed version 2 of the approval policy, and the signer's settings do not accept it.";
    expect(await outcome(payment)).toBe(waits);
    await set([rule], 2);
    expect(await outcome(payment)).toBe(waits);
    expect(await outcome(await owed(50_000n))).toBe(paid);
  });
});

describe("the lift of a halt", () => {
  async function halt(): Promise<string> {
    const made = await stage.db.transaction((tx) =>
      haltScope(tx, { scope: { kind: "chain", key: chain.chain }, cause: "operator", detail: "Something is wrong." }),
    );
    return made?.id ?? "";
  }
  const lift = (haltId: string) => signed(liftHalt(live(), { by: proposer.by, haltId, reason: REASON }));
  const forge = (id: string) =>
    asWeb(
      `update lane_halts set lifted_at = now(), lifted_by = '${proposer.id}', lift_confirmed_by = '${signer.id}', lift_reason = 'x' where id = '${id}'`,
    );

  it("by two people lets payments go on", async () => {
    const payment = await owed();
    const id = await halt();
    expect(await outcome(payment)).not.toBe(paid);
    await lift(id);
    expect(await outcome(payment)).toBe(paid);
  });

  it("by a row alone pays nothing on that chain, until two people have lifted a later one", async () => {
    const payment = await owed();
    const id = await halt();
    await forge(id);
    expect(await outcome(payment)).toBe(`No passkey has signed the lift of the halt ${id}, and the signer's settings do not accept it.`);
    await lift(await halt());
    expect(await outcome(payment)).toBe(paid);
  });

  it("by the signature for an earlier halt of the chain pays nothing", async () => {
    await lift(await halt());
    const payment = await owed();
    const id = await halt();
    await forge(id);
    expect(await outcome(payment)).toContain(`the lift of the halt ${id}`);
  });
});

it("asks one statement more of the database once everything is known", async () => {
  await openLimits(stage.ctx);
  const [rules, payment] = [findUnsignedRules(live(), accepted), await owed()];
  const paidBy = [{ transfer: payment, wallet: stage.addresses[0] ?? "" }];
  expect(await rules(stage.db, paidBy)).toEqual(new Map());
  let statements = 0;
  const counting = new Proxy(stage.db, {
    get(target, name, receiver) {
      if (name === "execute" || name === "select") statements += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  expect(await rules(counting, paidBy)).toEqual(new Map());
  expect(statements).toBe(1);
});
