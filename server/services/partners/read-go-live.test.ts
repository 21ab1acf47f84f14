import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markReceiverCertified } from "#db/queries/partners/partners.ts";
import { GO_LIVE, type GoLiveStep } from "#domain/go-live.ts";
import { inTenant } from "#server/context.ts";
import { addCallbackSecret, enqueueTestCallback } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, type TestPartner } from "#testing/factories.ts";
import { addPerson } from "#testing/people.ts";
import { testContext } from "#testing/surface.ts";
import { readGoLive } from "./read-go-live.ts";

describe("the checklist before live mode", () => {
  let database: TestDatabase;
  let partner: TestPartner;
  let other: TestPartner;
  beforeAll(async () => {
    database = await createTestDatabase();
    [partner, other] = await Promise.all([addPartner(database.db), addPartner(database.db)]);
  });
  afterAll(() => database.close());

  /** As one of the partner's people reads it, who sees no passkey but their own. */
  const asReader = (partnerId: string) => inTenant(testContext(database.web), { of: "partner", id: partnerId, person: randomUUID() });
  const doneOf = async ({ partnerId }: TestPartner): Promise<GoLiveStep[]> =>
    (await readGoLive(asReader(partnerId), partnerId)).filter(({ done }) => done).map(({ step }) => step);
  const key = (values: string) => database.sql.unsafe(`update api_keys set ${values} where id = '${partner.apiKeyId}'`);

  it("ticks a step by what the partner did, and by nothing of another partner", async () => {
    expect(await readGoLive(asReader(partner.partnerId), partner.partnerId)).toEqual(GO_LIVE.map(({ step }) => ({ step, done: false })));
    const done: GoLiveStep[] = [];
    const expectAlso = async (step: GoLiveStep) => {
      done.push(step);
      expect(new Set(await doneOf(partner))).toEqual(new Set(done));
    };
    await key("signed_management = true");
    expect(await doneOf(partner)).toEqual([]);
    await key("signed_management = true, signed_reads = true");
    await expectAlso("signed_keys");
    await key("allowed_ips = '{203.0.113.7}'");
    await expectAlso("key_addresses");
    await addCallbackSecret(database.db, partner.partnerId, new Date(Date.now() - 1_000));
    expect(await doneOf(partner)).not.toContain("callback_secret");
    await addCallbackSecret(database.db, partner.partnerId, null);
    await expectAlso("callback_secret");
    await markReceiverCertified(database.db, partner.partnerId, new Date());
    await expectAlso("receiver_certified");
    await addTerms(database.db, { partnerId: partner.partnerId });
    await expectAlso("limits");
    await addPerson(database.db, "owner", partner.partnerId, { sealedTotpSecret: "sealed" });
    await addPerson(database.db, "staff", partner.partnerId, { sealedTotpSecret: "sealed" });
    await addPerson(database.db, "owner", partner.partnerId, { sealedTotpSecret: "sealed", disabledAt: new Date() });
    const second = await addPerson(database.db, "owner", partner.partnerId);
    expect(await doneOf(partner)).not.toContain("people");
    await database.sql`insert into passkeys (id, user_id, name, credential_id, public_key, sign_count, transports, aaguid, syncs, backed_up, created_at)
      values (${randomUUID()}, ${second.id}, 'Laptop', 'credential', 'key', 0, '[]', 'none', false, false, now())`;
    await expectAlso("people");
    const { id } = await enqueueTestCallback(database.db, partner, "https://shop.example/hook");
    await database.sql`update callbacks set state = 'delivered', due_at = null, delivered_at = now() where id = ${id}`;
    expect(await doneOf(partner)).not.toContain("first_payment");
    await addExecuted(database, partner);
    await expectAlso("first_payment");
    expect(await doneOf(other)).toEqual([]);
  });

  it("counts only keys in force: a new one that need not sign opens the step again", async () => {
    const id = randomUUID();
    await database.sql`insert into api_keys (id, partner_id, name, key_hash, last_four, sealed_secret, scopes, allowed_ips, created_at)
      values (${id}, ${partner.partnerId}, 'Another', 'another', '1234', 'sealed', '{settlements:read}', '{}', now())`;
    expect(await doneOf(partner)).not.toContain("signed_keys");
    expect(await doneOf(partner)).not.toContain("key_addresses");
    await database.sql`update api_keys set revoked_at = now() - interval '1 second' where id = ${id}`;
    expect(await doneOf(partner)).toEqual(GO_LIVE.map(({ step }) => step));
  });
});

async function addExecuted({ sql }: TestDatabase, { partnerId, apiKeyId }: TestPartner): Promise<void> {
  const [terms] = await sql<{ id: string }[]>`select id from pair_terms limit 1`;
  await sql`insert into settlements (id, partner_id, api_key_id, status, external_tx_id, external_merchant_id, source_amount_minor, source_currency,
      destination_currency, chain, wallet_address, token_decimals, quote_version, exchange_rate, mid_rate, spread_bps, rate_source, rate_as_of,
      pair_terms_id, gross_base, platform_fee_base, destination_amount_base, priced_at, expires_at, callback_url, created_at, confirmed_at, tx_hash, executed_at)
    values ('tx_00000000000000000000000001', ${partnerId}, ${apiKeyId}, 'executed', 'order-1', 'merchant-1', 10000, 'KES', 'USDT', 'eip155:31337',
      ${`0x${"1".repeat(40)}`}, 6, 1, 0.0077, 0.0077, 0, 'test', now(), ${terms?.id ?? ""}, 2000000, 500000, 1500000, now(), now() + interval '5 minutes',
      'https://shop.example/cb', now(), now(), ${`0x${"1".repeat(64)}`}, now())`;
}
