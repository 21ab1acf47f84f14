import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { CHANGES } from "#contract/changes.ts";
import { topupRequestResponseSchema } from "#contract/partner/fiat.ts";
import { CALLBACK_EVENTS } from "#domain/callback.ts";
import { ACCOUNT_TYPES } from "#domain/fiat.ts";
import { EVENTS, verificationVector } from "./events.ts";
import { memberExample, memberReady, PAYMENTS, TOPUPS, WITHDRAWALS } from "./fiat-examples.ts";
import { TOPUP_PROGRAM, WITHDRAWAL_PROGRAM } from "./fiat-programs.ts";
import { inLanguages } from "./in-languages.ts";
import { asServed, stepsOf } from "./programs.ts";
import { QUICKSTART } from "./quickstart.ts";

const SITE = {
  baseUrl: "https://api.example.com",
  brand: "Acme",
  headers: { timestamp: "X-Acme-Timestamp", nonce: "X-Acme-Nonce", signature: "X-Acme-Signature" },
  sandbox: false,
  example: { chain: "eip155:1", currency: "USDT" },
  rateLimits: { writesPerSecond: 50, readsPerSecond: 200 },
  callbackAllowedHosts: [],
  callbackPorts: [443],
};

test("each example of fiat in and out is one that the contract reads, and every kind of account has one", () => {
  for (const { operation, schema, body } of [memberExample, ...WITHDRAWALS, ...TOPUPS]) {
    expect(schema.safeParse(body(SITE)).error, operation.id).toBeUndefined();
    expect(operation.body, operation.id).toBe(schema);
  }
  const destinations = WITHDRAWALS.map(({ body }) => body(SITE).destination.type);
  const sources = TOPUPS.map(({ body }) => body(SITE).source.type);
  for (const kinds of [destinations, sources, PAYMENTS.map(({ type }) => type)])
    expect([...new Set(kinds)].sort()).toEqual([...ACCOUNT_TYPES].sort());
  for (const { payment } of PAYMENTS) expect(topupRequestResponseSchema.shape.payment.parse(payment)).toEqual(payment);
});

test("every event has a payload that its schema reads", () => {
  expect(EVENTS.map(({ event }) => event)).toEqual(CALLBACK_EVENTS);
  for (const { event, body, payload } of EVENTS) expect(body.safeParse(payload).error, event).toBeUndefined();
});

test("the vector for verifying holds", () => {
  const { secret, id, timestamp, body, signature } = verificationVector();
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`);
});

test("each language's sample of a call has the same body", () => {
  const [first] = WITHDRAWALS.slice(-1);
  if (first === undefined) throw new Error("no example");
  const [curl, typescript, python, go, php] = inLanguages(SITE, first).map(({ text }) => text);
  const body = JSON.stringify(first.body(SITE), null, 2);
  expect(curl).toContain(`-X POST https://api.example.com/partners/transactions/withdraw-fiat/member`);
  expect(curl).toContain(`'${body}'`);
  expect(typescript).toMatch(/^const memberWithdrawal = await client\.withdrawals\.createForMember\(\{\n {2}external_id: "payout-2003",\n/);
  expect(typescript).toContain("console.log(memberWithdrawal.id, memberWithdrawal.status);");
  expect(python).toMatch(/^member_withdrawal = client\.withdrawals\.create_for_member\(\n {4}\{\n {8}"external_id": "payout-2003",\n/);
  expect(python).toContain('print(member_withdrawal["id"], member_withdrawal["status"])');
  expect(go).toMatch(
    /^memberWithdrawal, err := client\.Withdrawals\.CreateForMember\(ctx, settlement\.WithdrawPartnerCreate\{\n\tExternalID: {5}"payout-2003",\n/,
  );
  expect(go).toContain("fmt.Println(memberWithdrawal.ID, memberWithdrawal.Status)");
  expect(php).toMatch(
    /^\$member_withdrawal = \$client->withdrawals->createForMember\(new Types\\WithdrawPartnerCreate\(\n {4}external_id: 'payout-2003',\n/,
  );
  expect(php).toContain('echo "$member_withdrawal->id $member_withdrawal->status\\n";');
  expect(inLanguages(SITE, memberReady).map(({ text }) => text.split("\n")[0])).toEqual([
    'curl -sS "https://api.example.com/partners/members/user-1001" -H "apiKey: $API_KEY"',
    "const readyMember = await client.members.waitForSafe(member.external_user_id);",
    'ready_member = client.members.wait_for_safe(member["external_user_id"])',
    "readyMember, err := client.Members.WaitForSafe(ctx, member.ExternalUserID, settlement.Waiting{})",
    "$ready_member = $client->members->waitForSafe($member->external_user_id);",
  ]);
});

test("every program has its five steps, with nothing of the file left out", () => {
  for (const { samples, printed } of [QUICKSTART, WITHDRAWAL_PROGRAM, TOPUP_PROGRAM]) {
    expect(printed.length).toBe(5);
    for (const sample of samples) {
      const steps = stepsOf(sample);
      expect(steps.length, sample.file).toBe(printed.length);
      steps.forEach((step, index) => {
        expect(step, `${sample.file}, step ${index + 1}`).toContain(`${index + 1}. `);
      });
      const words = (text: string) => text.replace(/^[\t ]*(?:#|\/\/) --- .*$/gm, "").replace(/\s+/g, "");
      expect(words(steps.join("\n")), sample.file).toBe(words(sample.text));
      expect(asServed(sample.text, SITE)).not.toMatch(/X-Service-|eip155:31337/);
    }
  }
});

test("changes are listed newest first, in whole sentences", () => {
  const days = CHANGES.map(({ on }) => on);
  expect(days).toEqual(days.toSorted().reverse());
  for (const { on, text } of CHANGES) {
    expect(on).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(text).toMatch(/^[A-Z].+\.$/);
  }
});
