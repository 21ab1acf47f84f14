import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { tokenBalance } from "#sandbox/client/chain.ts";
import { sandboxFilePath } from "#sandbox/client/sandbox-file.ts";
import { operator } from "../support/client.ts";
import { inUnits, plain } from "../support/money.ts";
import { BASE_URL, chain, sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, find, freshWallet, quote } from "../support/settlements.ts";

/** Recipients are screened before they are paid: in the sandbox by a list that names one wallet. */

test("a settlement to a listed wallet is confirmed and waits; nothing is paid there, and no other payment waits for it", async () => {
  const wallet_address = sandbox.outcomes.named_wallet;
  const [held, other] = [await quote({ wallet_address }), await quote()];
  expect(await confirm(held.tx_id)).toMatchObject({ status: "processing", waiting_reason: "hold", waiting_since: expect.any(String) });
  await confirm(other.tx_id);
  expect((await ended(other.tx_id)).status).toBe("executed");
  expect(await find(held.tx_id)).toMatchObject({ status: "processing", waiting_reason: "hold" });
  expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address)).toBe(0n);
});

test("an operator releases it, and it is paid although the list names it still; or refuses it, and it fails with the reason", async () => {
  const wallet_address = sandbox.outcomes.named_wallet;
  const before = await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address);
  const [released, refused] = [await quote({ wallet_address }), await quote({ wallet_address })];
  for (const { tx_id } of [released, refused]) expect((await confirm(tx_id)).waiting_reason).toBe("hold");
  const reason = "Another person of the same name.";
  const decide = (tx_id: string, decision: string) => operator.call("POST", `/admins/settlements/${tx_id}/${decision}`, { reason });
  expect((await decide(released.tx_id, "release")).status).toBe(200);
  expect((await decide(refused.tx_id, "refuse")).status).toBe(200);
  const paid = await ended(released.tx_id);
  expect(paid.status).toBe("executed");
  expect(await ended(refused.tx_id)).toMatchObject({ status: "failed", failure_reason: reason });
  const moved = inUnits(plain(paid.destination_amount), 6);
  expect(await tokenBalance(chain.rpc_url, chain.tokens.USDT, wallet_address)).toBe(before + moved);
});

test("the list is read again when it changes, and half of it is not taken", async () => {
  const file = join(dirname(sandboxFilePath()), "screening.txt");
  const before = readFileSync(file, "utf8");
  const wallet_address = freshWallet();
  const reasonFor = async (address: string) => (await confirm((await quote({ wallet_address: address })).tx_id)).waiting_reason;
  try {
    writeFileSync(file, `${before.replace("# addresses: 1", "# addresses: 2")}${wallet_address}\n`);
    await expect.poll(() => reasonFor(wallet_address)).toBe("hold");
    writeFileSync(file, before.replace("# addresses: 1", "# addresses: 9"));
    const shown = async () => {
      await reasonFor(freshWallet());
      const ready: { checks: { screening: { detail: string } } } = await (await fetch(`${BASE_URL}/ready`)).json();
      return ready.checks.screening.detail;
    };
    await expect.poll(shown).toContain("screening.txt is not whole: it holds 1 addresses and says 9");
    expect(await reasonFor(wallet_address), "the last whole edition stays in force").toBe("hold");
    expect(await reasonFor(freshWallet())).toBeNull();
  } finally {
    writeFileSync(file, before);
  }
  await expect.poll(() => reasonFor(wallet_address)).toBeNull();
});
