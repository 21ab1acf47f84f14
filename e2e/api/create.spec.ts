import { expect, test } from "@playwright/test";
import { createSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { businessNow } from "../support/clock.ts";
import { chain, sandbox } from "../support/running-sandbox.ts";
import { createBody, find, freshWallet, pairOf, QUIET_URL, quote, SETTLEMENTS, setRate } from "../support/settlements.ts";

/** Contract, part 2: POST /api/v1/settlements. */

test("a created settlement is quoted, complete, and found under its Location", async () => {
  const body = createBody();
  const before = await businessNow();
  const answer = await partner.post(SETTLEMENTS, body);
  const settlement = read(createSettlementOperation, answer);
  expect(settlement).toMatchObject({
    status: "quoted",
    approval_state: null,
    external_tx_id: null,
    callback_url: null,
    confirmed_at: null,
    cancelled_at: null,
    approval_decided_at: null,
    rejection_reason: null,
    undelivered_callbacks: [],
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "merchant-7",
    chain: chain.chain,
  });
  for (const later of ["tx_hash", "executed_at", "failure_reason"]) expect(JSON.parse(answer.text)).not.toHaveProperty(later);
  expect(settlement.wallet_address.toLowerCase()).toBe(String(body.wallet_address).toLowerCase());
  expect(new Date(settlement.created_at).getTime()).toBeGreaterThanOrEqual(before.getTime());
  const location = new URL(String(answer.headers.location), sandbox.base_url);
  expect(location.pathname).toBe(`${SETTLEMENTS}/${settlement.tx_id}`);
  const { network_cost, ...later } = settlement;
  expect(await find(settlement.tx_id)).toEqual(later);
  // By then the process has found out what the network takes, or it says that it does not know.
  expect(network_cost === null || network_cost?.currency === "ETH").toBe(true);
});

test("the quote lasts as long as the pair says: five minutes", async () => {
  const pair = await pairOf("KES", "USDT");
  expect(pair.quote_lifetime_seconds).toBe(300);
  const settlement = await quote();
  expect(new Date(settlement.expires_at).getTime() - new Date(settlement.created_at).getTime()).toBe(300_000);
});

test("a callback_url given at creation is kept and shown", async () => {
  expect((await quote({ callback_url: QUIET_URL })).callback_url).toBe(QUIET_URL);
});

test("the maximum itself is ordinary, one minor unit above awaits approval", async () => {
  const { maximum_source_amount } = await pairOf("KES", "USDT");
  expect(maximum_source_amount).toBe(100_000_000);
  expect(await quote({ source_amount: maximum_source_amount })).toMatchObject({ status: "quoted", approval_state: null });
  expect(await quote({ source_amount: maximum_source_amount + 1 })).toMatchObject({ status: "quoted", approval_state: "pending" });
});

for (const field of ["source_amount", "source_currency", "destination_currency", "external_merchant_id", "chain", "wallet_address"]) {
  test(`${field} is required`, async () => {
    const { [field]: _left, ...rest } = createBody();
    expectFault(await partner.post(SETTLEMENTS, rest), "validation_failed", { pointer: `/${field}` });
    expectFault(await partner.post(SETTLEMENTS, { ...rest, [field]: null }), "validation_failed", { pointer: `/${field}` });
    expectFault(await partner.post(SETTLEMENTS, { ...rest, [field]: { a: 1 } }), "validation_failed", { pointer: `/${field}` });
  });
}

test("one answer names every fault of a body", async () => {
  const refusal = expectRefusal(await partner.post(SETTLEMENTS, {}), 422, "validation_failed");
  expect(refusal.errors?.map(({ pointer }) => pointer).sort()).toEqual(
    ["/chain", "/destination_currency", "/external_merchant_id", "/source_amount", "/source_currency", "/wallet_address"].sort(),
  );
});

test("an unknown key is refused by its pointer", async () => {
  expectFault(await partner.post(SETTLEMENTS, createBody({ amount: 5 })), "validation_failed", { pointer: "/amount" });
  expectFault(await partner.post(SETTLEMENTS, createBody({ "a/b~c": 5 })), "validation_failed", { pointer: "/a~1b~0c" });
  expectRefusal(await partner.post(SETTLEMENTS, '{"__proto__": {}, "source_amount": 1}'), 422, "validation_failed");
});

test("external_merchant_id has 1 to 128 characters", async () => {
  for (const length of [1, 128])
    expect((await quote({ external_merchant_id: "m".repeat(length) })).external_merchant_id).toHaveLength(length);
  for (const length of [0, 129]) {
    const answer = await partner.post(SETTLEMENTS, createBody({ external_merchant_id: "m".repeat(length) }));
    expectFault(answer, "validation_failed", { pointer: "/external_merchant_id" });
  }
  expect((await quote({ external_merchant_id: "Käthe’s 店 #1" })).external_merchant_id).toBe("Käthe’s 店 #1");
  const withNul = await partner.post(SETTLEMENTS, createBody({ external_merchant_id: "a\u0000b" }));
  expectFault(withNul, "validation_failed", { pointer: "/external_merchant_id" });
});

for (const [changes, what] of [
  [{ source_currency: "XXX" }, "an unknown source currency"],
  [{ source_currency: "kes" }, "a currency in small letters"],
  [{ destination_currency: "DOGE" }, "an unknown destination currency"],
  [{ source_currency: "USDT", destination_currency: "KES" }, "a pair the wrong way round"],
] as const) {
  test(`${what} is unsupported_pair`, async () => {
    expectRefusal(await partner.post(SETTLEMENTS, createBody(changes)), 422, "unsupported_pair");
  });
}

test("a currency in small letters is named by its field", async () => {
  const refused = await partner.post(SETTLEMENTS, createBody({ source_currency: "kes", destination_currency: "usdt" }));
  expectFault(refused, "unsupported_pair", { pointer: "/source_currency" });
  expectFault(refused, "unsupported_pair", { pointer: "/destination_currency" });
});

test("a chain that is well-formed but unknown is unsupported_chain, a malformed one validation_failed", async () => {
  for (const unknown of ["eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "tron:0x2b6653dc"]) {
    expectRefusal(await partner.post(SETTLEMENTS, createBody({ chain: unknown })), 422, "unsupported_chain");
  }
  for (const malformed of ["ethereum", "eip155:", ":1", "EIP155:31337", "eip155:31337:1", "", "eip155: 31337"]) {
    expectFault(await partner.post(SETTLEMENTS, createBody({ chain: malformed })), "validation_failed", { pointer: "/chain" });
  }
});

test("a wallet address is taken in small letters, in capitals, or with the right EIP-55 checksum", async () => {
  const wallet = freshWallet();
  for (const written of [wallet, wallet.toLowerCase(), `0x${wallet.slice(2).toUpperCase()}`]) {
    expect((await quote({ wallet_address: written })).wallet_address.toLowerCase()).toBe(wallet.toLowerCase());
  }
});

test("a wallet address that is no place for a partner's money is refused", async () => {
  const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  const swapped = checksummed.replace("5aAe", "5AAe");
  const bad = {
    "the zero address": `0x${"0".repeat(40)}`,
    "the token itself": chain.tokens.USDT,
    "our treasury": sandbox.treasury.address,
    "our treasury in small letters": sandbox.treasury.address.toLowerCase(),
    "a wrong checksum": swapped,
    "too short": checksummed.slice(0, 41),
    "too long": `${checksummed}0`,
    "no hex": `0x${"g".repeat(40)}`,
    "no prefix": checksummed.slice(2),
    "another chain's address": "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb",
    "with a space": ` ${checksummed}`,
  };
  for (const [what, wallet_address] of Object.entries(bad)) {
    const answer = await partner.post(SETTLEMENTS, createBody({ wallet_address }));
    expect(answer.status, what).toBe(422);
    expectFault(answer, "invalid_wallet_address", { pointer: "/wallet_address" });
  }
});

test("without a fresh rate there is no quote: 503 with Retry-After, and pairs say that quoting is down", async () => {
  await setRate("PHP", "USDT", null);
  try {
    const answer = await partner.post(SETTLEMENTS, createBody({ source_currency: "PHP", source_amount: 500_000 }));
    expectRefusal(answer, 503, "rate_unavailable");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect((await pairOf("PHP", "USDT")).quoting).toBe("down");
    expect((await pairOf("KES", "USDT")).quoting).toBe("up");
  } finally {
    await setRate("PHP", "USDT", 0.0172);
  }
  expect((await pairOf("PHP", "USDT")).quoting).toBe("up");
  expect((await quote({ source_currency: "PHP", source_amount: 500_000 })).status).toBe("quoted");
});
