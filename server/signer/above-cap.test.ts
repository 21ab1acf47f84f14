import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { aboveCapDecision, placeText } from "#domain/above-cap.ts";
import { newId } from "#domain/ids.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Decision } from "#domain/signed-decision.ts";
import type { Transfer } from "#domain/transfer.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { keepSignature } from "#server/services/proposals/keep-signature.ts";
import { aboveCapOf } from "#server/services/transfers/find-above-cap.ts";
import { signAboveCap } from "#server/services/treasury/sign-above-cap.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addDecidingPerson, type DecidingPerson, passkeys, signDecision } from "#testing/deciding-people.ts";
import { refusalOf } from "#testing/people.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** Above a cap of the signer only two admins' signatures over exactly that payment count, and the signer verifies them itself. */

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const UNIT = 1_000_000n;
const capsOf = (hour: bigint | null, day: bigint | null) => [
  { chain: chain.chain, token: chain.tokens.USDT, currency: "USDT", hourBase: hour, dayBase: day },
];
const received = async (recipient: string) => (await bench.tokenBalance(recipient)) / UNIT;

describe("a payment above a cap", () => {
  const signersFor = (caps = capsOf(5n * UNIT, null)) => {
    const powers = { passkeys, mode: "sandbox" as const, clock: { now: () => new Date() } };
    return bench.signersOf({ caps, findAboveCap: aboveCapOf(powers) });
  };
  const web = () => ({ db: bench.db, passkeys, mode: "sandbox" as const, clock: { now: () => new Date() } });
  const journaled = async () => (await bench.ctx.signers.readJournal(chain.chain)).marks;
  const wait = async (id: string) => (await bench.transfer(id)).waitingReason;
  /** As somebody who can write rows, past the checks of the service. */
  const plant = async (person: DecidingPerson, id: string, decision: Decision, now = () => new Date()) => {
    const signature = await signDecision(bench.db, person, decision, { now });
    await keepSignature({ ...web(), clock: { now } }, { by: { ...person.by, signature }, objectId: id, decision });
  };

  it("is paid once two admins have signed exactly it, and no sooner", async () => {
    bench = await openTransferBench(chain);
    const worker = bench.newWorker({ ctx: { ...bench.ctx, signers: signersFor() } });
    const [owed, other] = [await bench.enqueuePayment({ amountBase: 10n * UNIT }), await bench.enqueuePayment({ amountBase: 10n * UNIT })];
    const people = [await addDecidingPerson(bench.db), await addDecidingPerson(bench.db)];
    await bench.run(worker, [owed.id], 4);
    const order = (person: DecidingPerson) => ({ by: person.by, transferId: owed.id, reason: "Agreed with the partner" });
    for (const [index, person] of people.entries()) {
      expect(await wait(owed.id)).toContain(index === 0 ? "or two admins sign it." : "1 of 2 have signed.");
      expect([await received(owed.recipient), await journaled()]).toEqual([0n, []]);
      const asked: unknown = await signAboveCap(web(), order(person)).catch((refusal: unknown) => refusal);
      const decision = isRefusal(asked) ? asked.particulars.decision : undefined;
      if (decision === undefined) throw new Error("nothing was asked to be signed", { cause: asked });
      expect(decision.facts).toMatchObject({ recipient: owed.recipient, amount: "10.000000", token: "USDT", cap_period: "hour" });
      const signature = await signDecision(bench.db, person, decision);
      const by = { ...person.by, signature };
      expect(await signAboveCap(web(), { ...order(person), by })).toEqual({ signed: index + 1, needed: 2 });
      expect(await refusalOf(signAboveCap(web(), { ...order(person), by }))).toBe("same_approver");
      await bench.run(worker, [owed.id], 6);
    }
    expect([await received(owed.recipient), await received(other.recipient)]).toEqual([10n, 0n]);
    expect([(await bench.transfer(owed.id)).state, await journaled()]).toEqual(["executed", [expect.objectContaining({ mark: 0 })]]);
    const { rules } = await auditDatabase({ db: bench.db, passkeys });
    expect(rules.find(({ rule }) => rule === "decisions_are_signed")).toMatchObject({ checked: 2, violations: [] });
  });

  it("stays unpaid whatever else is signed: the signer says why, whatever the rows say", async () => {
    bench = await openTransferBench(chain);
    const worker = bench.newWorker({ ctx: { ...bench.ctx, signers: signersFor(capsOf(5n * UNIT, 500n * UNIT)) } });
    const [ana, ben, gone, removed] = await Promise.all([1, 2, 3, 4].map(() => addDecidingPerson(bench.db)));
    if (!ana || !ben || !gone || !removed) throw new Error("nobody is there");
    const cases: [string, (of: Transfer) => Promise<unknown>][] = [
      ["1 of 2 have signed.", async (of) => await plant(ana, of.id, aboveCapDecision(of, "hour"))],
      [
        "1 of 2 have signed.",
        async (of) => [await plant(ana, of.id, aboveCapDecision(of, "hour")), await plant(ana, of.id, aboveCapDecision(of, "day"))],
      ],
      ["it is over another payment", async (of) => await plant(ben, of.id, aboveCapDecision({ ...of, recipient: newAddress() }, "hour"))],
      [
        "it is over another payment",
        async (of) => await plant(ben, of.id, aboveCapDecision({ ...of, id: newId("transfer", new Date()) }, "hour")),
      ],
      ["it is over another amount", async (of) => await plant(ben, of.id, aboveCapDecision({ ...of, amountBase: 9n * UNIT }, "hour"))],
      [
        "it is older than 24 hours",
        async (of) => await plant(ben, of.id, aboveCapDecision(of, "hour"), () => new Date(Date.now() - 86_400_000)),
      ],
      ["its passkey was removed", async (of) => await plant(removed, of.id, aboveCapDecision(of, "hour"))],
      ["its person is no admin any more", async (of) => await plant(gone, of.id, aboveCapDecision(of, "hour"))],
      [
        "its person has asked for the payment",
        async (of) => {
          const confirmed = {
            by: ben.by,
            partnerId: null,
            action: "settlement.confirmed",
            objectId: of.ownerId,
            change: {},
            now: new Date(),
          };
          await insertAuditEntry(bench.db, confirmed);
          expect(await refusalOf(signAboveCap(web(), { by: ben.by, transferId: of.id, reason: "It is mine" }))).toBe("same_approver");
          await plant(ben, of.id, aboveCapDecision(of, "hour"));
        },
      ],
    ];
    const owed = await Promise.all(cases.map(() => bench.enqueuePayment({ amountBase: 10n * UNIT })));
    const ids = owed.map(({ id }) => id);
    await bench.run(worker, ids, 2);
    for (const [index, [sentence, sign]] of cases.entries()) {
      const of = owed[index] as Transfer;
      await sign(of);
      if (!sentence.startsWith("1")) await plant(ana, of.id, aboveCapDecision(of, "hour"));
    }
    await bench.sql`update users set role = 'viewer' where id = ${gone.id}`;
    await bench.sql`delete from passkeys where user_id = ${removed.id}`;
    await bench.letLeasesLapse();
    await bench.run(worker, ids, 4);
    for (const [index, [sentence]] of cases.entries()) expect(await wait(ids[index] ?? "")).toContain(sentence);
    expect(await Promise.all(owed.map(({ recipient }) => received(recipient)))).toEqual(cases.map(() => 0n));
    expect([await journaled(), await listOpenHalts(bench.ctx)]).toEqual([[], []]);
    // For the hour only: the cap of the day is another decision.
    const daily = bench.newWorker({ ctx: { ...bench.ctx, signers: signersFor(capsOf(null, 5n * UNIT)) } });
    const last = await bench.enqueuePayment({ amountBase: 10n * UNIT });
    for (const person of [ana, ben]) await plant(person, last.id, aboveCapDecision(last, "hour"));
    await bench.letLeasesLapse();
    await bench.run(daily, [last.id], 4);
    expect(await wait(last.id)).toContain("it is for the cap of the hour only");
    expect([await received(last.recipient), await journaled()]).toEqual([0n, []]);
  });

  it("that reverted for good is made again only with two signatures more, which say what they replace", async () => {
    let lies = 1;
    const node = await startRpcProxy(chain.rpcUrl, (method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass"));
    try {
      bench = await openTransferBench(chain, { rpcUrls: [node.url], confirmations: 1 });
      const newWorker = () => bench.newWorker({ ctx: { ...bench.ctx, signers: signersFor() } });
      const owed = await bench.enqueuePayment({ amountBase: 10n * UNIT });
      const [ana, ben] = [await addDecidingPerson(bench.db), await addDecidingPerson(bench.db)];
      for (const person of [ana, ben]) await plant(person, owed.id, aboveCapDecision(owed, "hour"));
      const run = async () => {
        await bench.letLeasesLapse();
        await bench.run(newWorker(), [owed.id], 8);
      };
      const made = async () =>
        (await bench.sql`select superseded_at is not null as over from transactions where transfer_id = ${owed.id} order by nonce`).map(
          ({ over }) => over,
        );
      await run();
      expect([await made(), await received(owed.recipient)]).toEqual([[true], 0n]);
      expect(await wait(owed.id)).toContain(
        "0 of 2 have signed. A signature does not count: an earlier transaction of the payment used it up.",
      );
      // Signed later, but not over this second transaction.
      const wallet = bench.addresses[0] ?? "";
      const replaced = placeText({ wallet, nonce: 0 });
      for (const of of [null, placeText({ wallet, nonce: 1 }), placeText({ wallet: newAddress(), nonce: 0 })])
        for (const person of [ana, ben]) await plant(person, owed.id, aboveCapDecision(owed, "hour", of));
      await run();
      expect([await made(), await wait(owed.id)]).toEqual([[true], expect.stringContaining("0 of 2 have signed.")]);
      for (const { by: asking, ...person } of [ana, ben]) {
        const order = { by: asking, transferId: owed.id, reason: "It ran out of gas" };
        const asked: unknown = await signAboveCap(web(), order).catch((refusal: unknown) => refusal);
        const decision = isRefusal(asked) ? asked.particulars.decision : undefined;
        if (decision === undefined) throw new Error("nothing was asked to be signed", { cause: asked });
        expect(decision.facts).toMatchObject({ recipient: owed.recipient, amount: "10.000000", replaces: replaced });
        const signature = await signDecision(bench.db, { by: asking, ...person }, decision);
        await signAboveCap(web(), { ...order, by: { ...asking, signature } });
      }
      await run();
      expect([await made(), await received(owed.recipient), await listOpenHalts(bench.ctx)]).toEqual([[true, false], 10n, []]);
      const { rules } = await auditDatabase({ db: bench.db, passkeys });
      const found = rules.find(({ rule }) => rule === "decisions_are_signed");
      // The two that name what was never made are findings, by both people.
      expect([found?.checked, found?.violations.length]).toEqual([10, 4]);
    } finally {
      await node.stop();
    }
  });
});
