import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ByPerson } from "#domain/access.ts";
import { MOST_TRIES, type NotificationKind } from "#domain/notification.ts";
import { type CaughtMail, catchMail, type MailCatcher } from "#sandbox/mail-catcher.ts";
import { createMailer } from "#server/adapters/mail.ts";
import { type Context, inTenant } from "#server/context.ts";
import { sendingDuty } from "#server/engines/notifications/duties.ts";
import { openSession } from "#server/services/people/sessions/sessions.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { enqueueTestCallback, localSender, testVault } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addPerson, PASSWORD, refusalOf } from "#testing/people.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { testContext } from "#testing/surface.ts";
import { findFacts } from "./find-facts.ts";
import { planMessages } from "./plan-messages.ts";
import { countUnread, forgetDelivered, listNotifications, markRead } from "./read-notifications.ts";
import { setHours, setRule, setWebhook } from "./set-wishes.ts";

const OPERATOR = { baseUrl: "https://console.example", brand: "Service" };
const ALL = { console: true, mail: true, webhook: true };

let database: TestDatabase;
let ctx: Context;
let partner: TestPartner;
let catcher: MailCatcher;
let hook: Receiver;
let offsetMs = 0;
/** What the mail server says to each mail; null: nothing, and it hangs. */
let said: (mail: CaughtMail) => string | null = () => "250 kept";

beforeAll(async () => {
  database = await createTestDatabase();
  catcher = await catchMail({}, (mail) => said(mail));
  hook = await openReceiver();
  ctx = {
    ...testContext(database.db),
    clock: { now: () => new Date(Date.now() + offsetMs) },
    mailer: createMailer({ url: catcher.url, from: "Service <no-reply@service.example>", mayBePlain: true }),
    callbacks: localSender,
    vault: testVault,
  };
  partner = await addPartner(database.db);
  await addTerms(database.db, { maximumSourceMinor: 100n, twoApprovalsAboveMinor: 1_000_000n });
  await setRate(database.db, "0.0077");
});
afterAll(async () => {
  await catcher.close();
  await hook.close();
  await database.close();
});
beforeEach(async () => {
  offsetMs = 0;
  said = () => "250 kept";
  hook.answer = (_request, response) => response.end("ok");
  catcher.mails.length = 0;
  hook.requests.length = 0;
  await database.sql`delete from notifications`;
  await database.sql`delete from notification_messages`;
  await database.sql`update users set disabled_at = now() where disabled_at is null`;
});

type Someone = { id: string; email: string; by: ByPerson };
const wants = async (person: Someone, ...kinds: NotificationKind[]) => {
  for (const kind of kinds) await setRule(ctx, { by: person.by, kind, rule: ALL });
};
/** Above what one may approve; `amount` above a million minor units: two. */
const waiting = (of = partner, amount = 500_000n) =>
  createSettlement(ctx, {
    ...of,
    sourceAmountMinor: amount,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: randomUUID(),
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: "http://localhost:9/a",
  });
const notifiedOf = async (person: Someone) =>
  (await database.sql`select kind, subject_id from notifications where user_id = ${person.id} order by kind, subject_id`).map(
    ({ kind, subject_id }) => `${kind} ${subject_id}`,
  );
/** One round of a worker that sends, to its end. */
async function send(channel: "mail" | "webhook" = "mail", as: Context = ctx): Promise<void> {
  const duty = sendingDuty(as, OPERATOR, channel);
  await duty.run(new AbortController().signal);
  await expect
    .poll(
      async () => (await database.sql`select 1 from notification_messages where channel = ${channel} and lease_token is not null`).length,
      {
        timeout: 30_000,
      },
    )
    .toBe(0);
}
const messages = async (channel = "mail") =>
  await database.sql`select id, state, tries, trouble, due_at from notification_messages where channel = ${channel} order by created_at, id`;
async function pass(): Promise<void> {
  await findFacts(ctx);
  await planMessages(ctx);
}

describe("finding facts", () => {
  it("sends each fact once to each person, however often and by however many it is found", async () => {
    const [ana, viewer] = [await addPerson(database.db, "approver"), await addPerson(database.db, "viewer")];
    const { id } = await waiting();
    await Promise.all(Array.from({ length: 6 }, () => findFacts(ctx)));
    await findFacts(ctx);
    expect(await notifiedOf(ana)).toEqual([`approval_waits ${id}`]);
    expect(await notifiedOf(viewer)).toEqual([]);
  });

  it("lists what was found at once by when it happened, the newest first", async () => {
    const ana = await addPerson(database.db, "approver");
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await waiting()).id);
    await findFacts(ctx);
    const notices = await listNotifications(ctx, { userId: ana.id, role: "approver", partnerId: null });
    expect(notices.map(({ text }) => ids.findIndex((id) => text.includes(id)))).toEqual([4, 3, 2, 1, 0]);
  });

  it("asks for the second yes everybody but who gave the first, and nobody once it is decided", async () => {
    const [ana, ben] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    const settlement = await waiting(partner, 2_000_000n);
    await approveSettlement(ctx, { by: ana.by, id: settlement.id, note: "looks right", expectedExchangeRate: null });
    await findFacts(ctx);
    expect(await notifiedOf(ana)).toEqual([]);
    expect(await notifiedOf(ben)).toEqual([`second_yes ${settlement.id}`]);
    await approveSettlement(ctx, { by: ben.by, id: settlement.id, note: "looks right", expectedExchangeRate: null });
    const late = await addPerson(database.db, "approver");
    await findFacts(ctx);
    expect(await notifiedOf(late)).toEqual([]);
  });

  it("reports a given-up receiver once an hour, to its own partner's people and the operator's, and to no other partner's", async () => {
    const other = await addPartner(database.db);
    const [owner, stranger] = [
      await addPerson(database.db, "owner", partner.partnerId),
      await addPerson(database.db, "owner", other.partnerId),
    ];
    const operator = await addPerson(database.db, "viewer");
    for (const path of ["/a?token=secret", "/b"]) {
      const { id } = await enqueueTestCallback(database.db, partner, `https://hooks.example${path}`);
      await database.sql`update callbacks set state = 'undelivered', due_at = null, undelivered_at = (select business_now()) where id = ${id}`;
    }
    await findFacts(ctx);
    expect(await notifiedOf(stranger)).toEqual([]);
    for (const each of [owner, operator]) {
      const seen = await listNotifications(ctx, each.by.actor);
      expect(seen.filter(({ kind }) => kind === "callback_gave_up").map(({ text }) => text)).toEqual([
        "The service gave up callbacks to hooks.example after six attempts",
      ]);
    }
  });

  it("reports a halt and a wallet that runs low to the operator's people, the latter once a day", async () => {
    const [viewer, owner] = [await addPerson(database.db, "viewer"), await addPerson(database.db, "owner", partner.partnerId)];
    const wallet = randomUUID();
    await database.sql`insert into wallets (id, chain, address, fencing_token, created_at) values (${wallet}, 'eip155:1', ${wallet}, 0, now())`;
    await database.sql`insert into wallet_balances values (${wallet}, 'USDT', 1, 1, 5, true, now())`;
    await database.sql`insert into lane_halts (id, lane_kind, lane_key, cause, detail, evidence, since)
      values ('lh_1', 'wallet', ${wallet}, 'broken_books', 'They differ.', '{}', business_now())`;
    for (let pass = 0; pass < 3; pass += 1) await findFacts(ctx);
    expect(await notifiedOf(viewer)).toEqual(["lane_halted lh_1", `low_balance ${wallet}`]);
    expect(await notifiedOf(owner)).toEqual([]);
    await database.sql`delete from wallet_balances`;
  });

  it("reports a sign-in from a new place, not the very first one and not known places", async () => {
    const person = await addPerson(database.db, "viewer");
    const signIn = (address: string) =>
      openSession(ctx, { email: person.email, password: PASSWORD, otp: null, address, userAgent: null, requestId: null });
    for (const address of ["192.0.2.1", "192.0.2.1", "198.51.100.7", "198.51.100.7"]) await signIn(address);
    expect((await listNotifications(ctx, person.by.actor)).map(({ text }) => text)).toEqual([
      "Someone signed in to your account from a new place: 198.51.100.7",
    ]);
  });

  it("sends nothing to people who turned it off, and nothing about earlier facts", async () => {
    const [quiet, late] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    await setRule(ctx, { by: quiet.by, kind: "approval_waits", rule: { console: false, mail: false, webhook: false } });
    await waiting();
    await setRule(ctx, { by: late.by, kind: "approval_waits", rule: ALL });
    await findFacts(ctx);
    expect([await notifiedOf(quiet), await notifiedOf(late)]).toEqual([[], []]);
  });
});

describe("the bell", () => {
  it("counts what is unread, of oneself alone, and shows no more than the role may see today", async () => {
    const [ana, ben] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    const { id } = await waiting();
    await findFacts(ctx);
    const [noted] = await listNotifications(ctx, ana.by.actor);
    expect(noted).toMatchObject({ page: `/console/approvals?tx=${id}`, isRead: false });
    await markRead(ctx, ben.id, noted?.id ?? "");
    expect([await countUnread(ctx, ana.id), await countUnread(ctx, ben.id)]).toEqual([1, 1]);
    await markRead(ctx, ana.id, noted?.id ?? "");
    await markRead(ctx, ben.id, null);
    expect([await countUnread(ctx, ana.id), await countUnread(ctx, ben.id)]).toEqual([0, 0]);
    expect(await listNotifications(ctx, { userId: ana.id, role: "viewer", partnerId: null })).toEqual([]);
    expect(await listNotifications(inTenant(ctx, { of: "partner", id: partner.partnerId }), ana.by.actor)).toEqual([]);
    offsetMs = 61 * 86_400_000;
    await forgetDelivered(ctx);
    expect(await notifiedOf(ana)).toEqual([]);
  });
});

describe("mail", () => {
  it("carries what waits in one mail under one id, with a link to each, and nothing secret", async () => {
    const ana = await addPerson(database.db, "approver");
    await wants(ana, "approval_waits");
    const both = [await waiting(), await waiting()];
    await pass();
    await pass();
    await send();
    await send();
    expect(catcher.mails).toHaveLength(1);
    const [mail] = catcher.mails;
    expect(mail?.to).toEqual([ana.email]);
    const [message] = await messages();
    expect(mail?.text).toContain(`Message-ID: <${message?.id}@service.example>`);
    const text = mail?.text.replaceAll("=\n", "").replaceAll("=3D", "=");
    for (const { id } of both) expect(text).toContain(`https://console.example/console/approvals?tx=${id}`);
    expect(mail?.text).not.toMatch(/0x[0-9a-f]{40}|5000|KES/i);
    expect(message).toMatchObject({ state: "sent", tries: 1 });
  });

  it("waits for the digest and for the end of quiet hours", async () => {
    const ana = await addPerson(database.db, "approver");
    await wants(ana, "approval_waits");
    const now = new Date();
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
    const quietTo = (minute + 30) % 1_440;
    await setHours(ctx, { by: ana.by, hours: { digest: "at_once", quietFrom: (minute + 1_430) % 1_440, quietTo, zone: "UTC" } });
    await waiting();
    await pass();
    await send();
    expect(catcher.mails).toHaveLength(0);
    await waiting();
    await pass();
    offsetMs = 31 * 60_000;
    await send();
    expect(catcher.mails).toHaveLength(1);
    expect((await messages())[0]?.tries).toBe(1);
    expect(
      await refusalOf(setHours(ctx, { by: ana.by, hours: { digest: "at_once", quietFrom: null, quietTo: null, zone: "Mars/Base" } })),
    ).toBe("validation_failed");
  });

  it("asks once for a settlement that two people approve, and not at all for what was decided before it went out", async () => {
    const [ana, ben] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    await wants(ben, "approval_waits", "second_yes");
    await setHours(ctx, { by: ben.by, hours: { digest: "hourly", quietFrom: null, quietTo: null, zone: "UTC" } });
    const atOnce = { ...ctx, clock: { now: () => new Date() } };
    const approve = (id: string) => approveSettlement(atOnce, { by: ana.by, id, note: "looks right", expectedExchangeRate: null });
    const [both, one] = [await waiting(partner, 2_000_000n), await waiting()];
    await pass();
    await approve(both.id);
    await approve(one.id);
    await pass();
    offsetMs = 3_600_000;
    await send();
    expect(catcher.mails).toHaveLength(1);
    const text = catcher.mails[0]?.text.replaceAll("=\n", "").replaceAll("=3D", "=") ?? "";
    expect(text.match(/approvals\?tx=\S+/g)).toEqual([`approvals?tx=${both.id}`]);
    expect(text).toContain("waits for a second approval");

    const late = await waiting();
    await findFacts(ctx);
    await approve(late.id);
    await planMessages(ctx);
    expect(await messages()).toHaveLength(1);
    const sooner = await waiting();
    await pass();
    await approve(sooner.id);
    offsetMs = 2 * 3_600_000;
    await send();
    expect(catcher.mails).toHaveLength(1);
    expect((await messages())[1]).toMatchObject({ state: "dropped", tries: 1 });
  });

  it("is tried again under the same id while the server has trouble, then given up; what it refuses for good, at once", async () => {
    const ana = await addPerson(database.db, "approver");
    await wants(ana, "approval_waits");
    await waiting();
    await pass();
    const ids = new Set<string | undefined>();
    said = ({ text }) => {
      ids.add(/Message-ID: (.*)/.exec(text)?.[1]);
      return "451 later";
    };
    for (let tries = 1; tries <= MOST_TRIES + 1; tries += 1) {
      await send();
      offsetMs += 3 * 3_600_000;
    }
    expect(ids.size).toBe(1);
    expect(await messages()).toMatchObject([
      { state: "given_up", tries: MOST_TRIES, trouble: "The mail server cannot take it just now (451)." },
    ]);
    said = () => "550 no such person";
    await waiting();
    await pass();
    await send();
    expect((await messages())[1]).toMatchObject({ state: "given_up", tries: 1 });
  });

  it("goes out again, under the same id and with the same content, when its worker died before it could write that it was sent", async () => {
    const ana = await addPerson(database.db, "approver");
    await wants(ana, "approval_waits");
    await waiting();
    await pass();
    let died = false;
    said = () => {
      died = true;
      return "250 kept";
    };
    // The end of the try is never written: the process is gone by then.
    const dying = { ...ctx, clock: { now: () => (died ? stop() : ctx.clock.now()) } };
    await sendingDuty(dying, OPERATOR, "mail").run(new AbortController().signal);
    await expect.poll(() => catcher.mails.length, { timeout: 30_000 }).toBe(1);
    await waiting();
    await pass();
    offsetMs = 61_000;
    await send();
    await expect.poll(() => catcher.mails.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    const idOf = ({ text }: CaughtMail) => /Message-ID: (.*)/.exec(text)?.[1];
    expect(catcher.mails.slice(0, 2).map(idOf)).toEqual([idOf(catcher.mails[0] as CaughtMail), idOf(catcher.mails[0] as CaughtMail)]);
    expect(bodyOf(catcher.mails[1])).toBe(bodyOf(catcher.mails[0]));
  });

  it("is sent once by two workers that look at the same moment", async () => {
    const ana = await addPerson(database.db, "approver");
    await wants(ana, "approval_waits");
    await waiting();
    await Promise.all([pass(), pass()]);
    await Promise.all([send(), send(), send()]);
    expect(catcher.mails).toHaveLength(1);
  });

  it("sends nobody what they may no longer see when it goes out", async () => {
    const [ana, gone] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    for (const person of [ana, gone]) await wants(person, "approval_waits");
    await waiting();
    await pass();
    await database.sql`update users set role = 'viewer' where id = ${ana.id}`;
    await database.sql`update users set disabled_at = now() where id = ${gone.id}`;
    await send();
    expect(catcher.mails).toHaveLength(0);
    expect((await messages()).map(({ state }) => state)).toEqual(["dropped", "dropped"]);
  });

  it("to a server that does not answer delays no other", async () => {
    const [ana, ben] = [await addPerson(database.db, "approver"), await addPerson(database.db, "approver")];
    for (const person of [ana, ben]) await wants(person, "approval_waits");
    said = ({ to }) => (to[0] === ana.email ? null : "250 kept");
    await waiting();
    await pass();
    void sendingDuty(ctx, OPERATOR, "mail").run(new AbortController().signal);
    await expect.poll(() => catcher.mails.map(({ to }) => to[0]), { timeout: 30_000 }).toEqual([ben.email]);
    await expect.poll(async () => (await messages()).map(({ state }) => state).sort(), { timeout: 40_000 }).toEqual(["sending", "sent"]);
    await expect
      .poll(async () => (await messages()).find(({ state }) => state === "sending")?.trouble, { timeout: 40_000 })
      .toBe("The mail server could not be reached, or did not finish in time.");
  }, 90_000);
});

describe("a webhook", () => {
  it("gets Slack's form under the message's id, and is kept sealed", async () => {
    const ana = await addPerson(database.db, "approver");
    await wants(ana, "approval_waits");
    await setWebhook(ctx, { by: ana.by, url: `${hook.origin}/services/T0/B0/very-secret` });
    const { id } = await waiting();
    await pass();
    await send("webhook");
    expect(hook.requests).toHaveLength(1);
    const { text } = JSON.parse(hook.requests[0]?.body ?? "{}");
    expect(text).toContain(`<https://console.example/console/approvals?tx=${id}|`);
    expect(hook.requests[0]?.headers["webhook-id"]).toBe((await messages("webhook"))[0]?.id);
    const kept = await database.sql`select row_to_json(s)::text as row from notification_settings s where user_id = ${ana.id}`;
    const entries =
      await database.sql`select coalesce(string_agg(change::text, ''), '') as text from audit_entries where object_id = ${ana.id}`;
    expect(kept[0]?.row + entries[0]?.text).not.toContain("very-secret");
  });

  it("is an address that callbacks may be sent to, at saving and at sending, and needs step-up", async () => {
    const ana = await addPerson(database.db, "approver");
    for (const url of ["http://169.254.169.254/latest", "https://10.0.0.1/", "ftp://hooks.example/", "https://[::1]/", "no address"])
      expect([url, await refusalOf(setWebhook(ctx, { by: ana.by, url }))]).toEqual([url, "validation_failed"]);
    expect(await refusalOf(setWebhook(ctx, { by: { ...ana.by, proof: null }, url: `${hook.origin}/a` }))).toBe("step_up_required");
    await wants(ana, "approval_waits");
    await setWebhook(ctx, { by: ana.by, url: `${hook.origin}/a` });
    await waiting();
    await pass();
    // Its host now resolves to a forbidden address: no exemption is left.
    const { createCallbackSender } = await import("#server/adapters/callbacks/send.ts");
    await send("webhook", { ...ctx, callbacks: createCallbackSender({ allowHttp: true, exemptHosts: [] }) });
    expect(hook.requests).toHaveLength(0);
    expect((await messages("webhook"))[0]).toMatchObject({ state: "sending", tries: 1, trouble: expect.any(String) });
  });
});

function stop(): never {
  throw new Error("the process died");
}

function bodyOf(mail: CaughtMail | undefined): string {
  return mail?.text.split("\n\n").slice(1).join("\n\n") ?? "";
}
