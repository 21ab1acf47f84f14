import { expect, test } from "@playwright/test";
import { movedTo, readReceipt, tokenBalance } from "#sandbox/client/chain.ts";
import { expectRefusal } from "../support/answers.ts";
import { partner, rival } from "../support/client.ts";
import { inUnits, plain } from "../support/money.ts";
import { chain, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, find, freshReference, freshWallet, QUIET_URL, quote, SETTLEMENTS } from "../support/settlements.ts";

/** Specification, part 3: a confirmed quote becomes money on the chain, exactly once, or fails with a reason. */

for (const token of ["USDT", "USDC"] as const) {
  test(`${token} arrives to the last base unit, and tx_hash is the transfer that brought it`, async () => {
    const wallet_address = freshWallet();
    const quoted = await quote({ destination_currency: token, wallet_address, source_amount: 123_457 });
    expect(await tokenBalance(chain.rpc_url, chain.tokens[token], wallet_address)).toBe(0n);
    const confirmed = await confirm(quoted.tx_id);
    expect(confirmed.tx_hash).toBeUndefined();

    const executed = await ended(quoted.tx_id);
    expect(executed).toMatchObject({ status: "executed", destination_amount: quoted.destination_amount });
    expect(executed.tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(executed.failure_reason).toBeUndefined();
    expect(new Date(executed.executed_at ?? 0).getTime()).toBeGreaterThanOrEqual(new Date(confirmed.confirmed_at ?? 0).getTime());

    const owed = inUnits(plain(quoted.destination_amount), 6);
    expect(await tokenBalance(chain.rpc_url, chain.tokens[token], wallet_address)).toBe(owed);
    const receipt = await readReceipt(chain.rpc_url, executed.tx_hash ?? "");
    if (receipt === null) throw new Error("the chain does not know the transaction");
    expect(receipt.status).toBe("0x1");
    expect(movedTo(receipt, chain.tokens[token], wallet_address)).toBe(owed);
  });
}

test("a wallet that the token has blocked fails with the reason in words, and nothing moves", async () => {
  const before = await tokenBalance(chain.rpc_url, chain.tokens.USDT, sandbox.outcomes.blocked_wallet);
  const { tx_id } = await quote({ wallet_address: sandbox.outcomes.blocked_wallet });
  await confirm(tx_id);
  const failed = await ended(tx_id);
  expect(failed.status).toBe("failed");
  expect(failed.failure_reason).toMatch(/block/i);
  expect(failed.failure_reason).not.toMatch(/0x[0-9a-f]{8}|Error:|\bat \//);
  for (const absent of ["tx_hash", "executed_at"]) expect(failed).not.toHaveProperty(absent);
  expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, sandbox.outcomes.blocked_wallet)).toBe(before);
  expectRefusal(await partner.post(`${SETTLEMENTS}/${tx_id}/cancel`), 409, "invalid_state");
});

test("one that fails does not hold up those behind it", async () => {
  const bad = await quote({ wallet_address: sandbox.outcomes.blocked_wallet });
  const good = await quote();
  await confirm(bad.tx_id);
  await confirm(good.tx_id);
  expect((await ended(good.tx_id)).status).toBe("executed");
  expect((await ended(bad.tx_id)).status).toBe("failed");
});

test("many at once, of two partners, to one wallet: each is paid once, the sum is exact", async () => {
  const wallet_address = freshWallet();
  const senders = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? partner : rival));
  const quotes = await Promise.all(senders.map((by, index) => quote({ wallet_address, source_amount: 100_000 + index * 137 }, by)));
  await Promise.all(quotes.map(({ tx_id }, index) => confirm(tx_id, {}, senders[index])));
  const executed = await Promise.all(quotes.map(({ tx_id }, index) => ended(tx_id, senders[index])));
  expect(new Set(executed.map(({ status }) => status))).toEqual(new Set(["executed"]));
  expect(new Set(executed.map(({ tx_hash }) => tx_hash)).size).toBe(quotes.length);
  const owed = quotes.reduce((sum, { destination_amount }) => sum + inUnits(plain(destination_amount), 6), 0n);
  expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address)).toBe(owed);
});

test("a confirm repeated under new nonces after the end moves nothing more", async () => {
  const wallet_address = freshWallet();
  const { tx_id } = await quote({ wallet_address });
  const fields = { external_tx_id: freshReference(), callback_url: QUIET_URL };
  await confirm(tx_id, fields);
  await ended(tx_id);
  const paid = await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address);
  for (let repeat = 0; repeat < 3; repeat += 1) await confirm(tx_id, fields);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address)).toBe(paid);
  expect((await find(tx_id)).status).toBe("executed");
});
