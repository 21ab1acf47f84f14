import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listTerms } from "#db/queries/rates/pair-terms.ts";
import { keyHash } from "#domain/api-key.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { decimal, multiply } from "#domain/decimal.ts";
import { priceSource, quotedRate } from "#domain/quote.ts";
import { callbackSecretOf, secretOfKey } from "#domain/sealed-place.ts";
import { verifyPassword } from "#server/adapters/passwords.ts";
import { createVault } from "#server/adapters/vault.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { readVaultKeys, seedDemo } from "./demo.ts";
import type { DemoSecrets } from "./demo-users.ts";

const CHAIN = "eip155:31337";
const chains = [{ chain: CHAIN, tokens: { USDT: `0x${"1".repeat(40)}`, USDC: `0x${"2".repeat(40)}` } }];
const newVaultKeys = () => `sandbox:${randomBytes(32).toString("base64")}`;
const vaultKeys = newVaultKeys();
let database: TestDatabase;
let first: DemoSecrets;

const seed = (secrets: unknown, options: { keys?: string; on?: TestDatabase } = {}) =>
  seedDemo({ databaseUrl: (options.on ?? database).url, vaultKeys: options.keys ?? vaultKeys, chains, secrets });

/** Everything that the seed writes, as one text. */
async function everything(of: TestDatabase): Promise<string> {
  const tables = ["partners", "api_keys", "callback_secrets", "users", "pair_terms", "exchange_rates", "audit_entries"];
  const rows = await Promise.all(tables.map((table) => of.sql`select to_jsonb(t)::text as row from ${of.sql(table)} t order by 1`));
  return JSON.stringify(rows);
}

async function expectToWork(secrets: DemoSecrets, options: { keys?: string; on?: TestDatabase } = {}): Promise<void> {
  const of = options.on ?? database;
  const vault = createVault(readVaultKeys(options.keys ?? vaultKeys));
  for (const partner of [secrets.partner, secrets.secondPartner]) {
    const [key] = await of.sql`select id, partner_id, sealed_secret, revoked_at from api_keys where key_hash = ${keyHash(partner.apiKey)}`;
    expect(key).toMatchObject({ partner_id: partner.id, revoked_at: null });
    expect(vault.open(String(key?.sealed_secret), secretOfKey(String(key?.id)))).toBe(partner.apiSecret);
    const inForce = await of.sql`select sealed_secret from callback_secrets where partner_id = ${partner.id} and expires_at is null`;
    expect(inForce.map((row) => vault.open(String(row.sealed_secret), callbackSecretOf(partner.id)))).toEqual([partner.callbackSecret]);
  }
  const [operator] = await of.sql`select partner_id, revoked_at from api_keys where key_hash = ${keyHash(secrets.operator.apiKey)}`;
  expect(operator).toEqual({ partner_id: null, revoked_at: null });
  for (const [role, { email, password }] of Object.entries(secrets.users)) {
    const [user] = await of.sql`select role, partner_id, password_hash from users where email = ${email}`;
    expect(user).toMatchObject({ role, partner_id: role === "owner" || role === "staff" ? secrets.partner.id : null });
    expect(user?.password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(await verifyPassword(String(user?.password_hash), password)).toBe(true);
  }
}

beforeAll(async () => {
  database = await createTestDatabase();
  first = await seed(null);
});
afterAll(() => database.close());

describe("the demo data", () => {
  test("has two partners, an operator and a user of each role, whose secrets all work", async () => {
    await expectToWork(first);
    expect(first.partner.apiKey).toMatch(/^key_test_/);
    expect(first.partner.apiSecret).toMatch(/^sec_test_/);
    expect(Buffer.from(first.partner.callbackSecret.replace("whsec_", ""), "base64")).toHaveLength(32);
    expect(new Set(Object.values(first.users).map((user) => user.password)).size).toBe(5);
    for (const { password } of Object.values(first.users)) expect(password.length).toBeGreaterThanOrEqual(12);
    const text = await everything(database);
    for (const secret of [first.partner.apiKey, first.partner.apiSecret, first.partner.callbackSecret, first.users.admin.password]) {
      expect(text).not.toContain(secret);
    }
  });

  test("stays as it is at a second start, which prints it again", async () => {
    const before = await everything(database);
    expect(await seed(first)).toEqual(first);
    expect(await everything(database)).toBe(before);
  });

  test("is made once by several starts at the same moment", async () => {
    const other = await createTestDatabase();
    const answers = await Promise.all([seed(null, { on: other }), seed(null, { on: other }), seed(null, { on: other })]);
    const [count] = await other.sql`select (select count(*)::int from partners) as partners, (select count(*)::int from users) as users,
      (select count(*)::int from callback_secrets) as secrets, (select count(*)::int from pair_terms) as terms`;
    expect(count).toEqual({ partners: 2, users: 5, secrets: 2, terms: 14 });
    expect(new Set(answers.map((answer) => answer.partner.id)).size).toBe(1);
    await other.close();
  });

  test("comes back with the kept secrets on a database that began again", async () => {
    const fresh = await createTestDatabase();
    expect(await seed(first, { on: fresh })).toEqual(first);
    await expectToWork(first, { on: fresh });
    await fresh.close();
  });

  test("gets new secrets that work when the kept ones are lost, and retires what no vault can open", async () => {
    const lost = await createTestDatabase();
    const before = await seed(null, { on: lost });
    const keys = newVaultKeys();
    const after = await seed({ nonsense: true }, { on: lost, keys });
    expect(after.partner.id).toBe(before.partner.id);
    expect(after.partner.apiKey).not.toBe(before.partner.apiKey);
    await expectToWork(after, { on: lost, keys });
    await lost.close();
  });

  test("works after a crash between making it and keeping its secrets: the vault still opens the callback secret", async () => {
    const crashed = await createTestDatabase();
    const unheard = await seed(null, { on: crashed });
    const after = await seed(null, { on: crashed });
    expect(after.partner.callbackSecret).toBe(unheard.partner.callbackSecret);
    await expectToWork(after, { on: crashed });
    await crashed.close();
  });

  test("makes kept secrets work on a database that another sandbox has seeded", async () => {
    const foreign = await createTestDatabase();
    const theirs = await seed(null, { on: foreign });
    const ours = await seed(first, { on: foreign });
    expect(ours.partner.id).toBe(theirs.partner.id);
    expect(ours.users).toEqual(first.users);
    await expectToWork(ours, { on: foreign });
    await foreign.close();
  });

  test("replaces a key that was revoked since, and leaves alone what a person has changed", async () => {
    const changed = await createTestDatabase();
    const before = await seed(null, { on: changed });
    await changed.sql`update api_keys set revoked_at = now() where key_hash = ${keyHash(before.partner.apiKey)}`;
    await changed.sql`update users set password_hash = 'changed' where role = 'admin'`;
    await changed.sql`delete from exchange_rates where source_currency = 'KES' and destination_currency = 'USDT'`;
    await changed.sql`update exchange_rates set mid_rate = 2 where source_currency = 'EUR'`;
    const after = await seed(before, { on: changed });
    expect(after.partner.apiKey).not.toBe(before.partner.apiKey);
    expect({ ...after, partner: before.partner }).toEqual(before);
    const [admin] = await changed.sql`select password_hash from users where role = 'admin'`;
    expect(admin?.password_hash).toBe("changed");
    const rates = await changed.sql`select source_currency, destination_currency, mid_rate::text from exchange_rates
      where source_currency in ('KES', 'EUR') order by 1, 2`;
    expect(rates).toEqual([
      { source_currency: "EUR", destination_currency: "USDC", mid_rate: "2" },
      { source_currency: "EUR", destination_currency: "USDT", mid_rate: "2" },
      { source_currency: "KES", destination_currency: "USDC", mid_rate: "0.0077415" },
    ]);
    await changed.close();
  });
});

describe("the seeded pairs", () => {
  test("are the seven currencies against both tokens, with the maximum of KES at 1,000,000.00", async () => {
    const listed = await listTerms(database.db, first.partner.id);
    const names = listed.map(({ terms }) => `${terms.sourceCurrency}/${terms.destinationCurrency}`);
    const codes = ["EUR", "JPY", "KES", "KWD", "NGN", "PHP", "USD"];
    expect(names).toEqual(codes.flatMap((code) => [`${code}/USDC`, `${code}/USDT`]));
    const kes = listed.find(({ terms }) => terms.sourceCurrency === "KES");
    expect(kes?.terms).toMatchObject({ maximumSourceMinor: 100_000_000n, quoteLifetimeSeconds: 300, approvedLifetimeSeconds: 1_800 });
  });

  test("deliver something at their minimum, even if the rate falls by a fifth, and can be priced at their maximum", async () => {
    for (const { terms, rate } of await listTerms(database.db, first.partner.id)) {
      const sourceExponent = findFiatCurrency(terms.sourceCurrency)?.exponent ?? -1;
      const price = (sourceAmountMinor: bigint, share: string) =>
        priceSource({
          sourceAmountMinor,
          sourceExponent,
          exchangeRate: quotedRate(multiply(rate?.midRate ?? decimal("0"), decimal(share)), terms.spreadBps),
          platformFeeBase: terms.platformFeeBase,
          tokenDecimals: 6,
        }).destinationAmountBase;
      expect(price(terms.minimumSourceMinor, "0.8")).toBeGreaterThan(0n);
      expect(price(terms.maximumSourceMinor, "1.2")).toBeGreaterThan(1_000n * 1_000_000n);
    }
  });
});
