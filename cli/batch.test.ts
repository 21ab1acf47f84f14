import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { deadUrl, forgetProfiles, keepProfile, settle } from "#testing/settle.ts";

afterEach(forgetProfiles);

const HEAD = "external_tx_id,source_amount,source_currency,destination_currency,external_merchant_id,chain,wallet_address";
const LINE = "payslip-1,100000,KES,USDT,merchant-1,eip155:31337,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

async function create(text: string): Promise<{ code: number; words: string }> {
  const file = join(tmpdir(), `settle-batch-${process.pid}.csv`);
  writeFileSync(file, text);
  const { code, stdout, stderr } = await settle(["batch", "create", file], { SETTLE_PROFILE: keepProfile({ base_url: await deadUrl() }) });
  return { code: code ?? -1, words: stdout + stderr };
}

test("a file with a fault is refused with its place, and nothing is sent", async () => {
  const faulty: [string, string][] = [
    [`${HEAD},colour\r\n${LINE},red`, "unknown columns colour"],
    [`external_tx_id\r\npayslip-1`, "the columns source_amount"],
    [`${HEAD}\r\n${LINE}\r\n${LINE.replace("100000", "1000.00")}`, "line 3: source_amount must be a whole number"],
    [`${HEAD}\r\n${LINE.replace("KES", "")}`, "line 2: source_currency is empty"],
    [`${HEAD}\r\n"${LINE}`, "is no CSV"],
  ];
  for (const [text, words] of faulty) {
    const answer = await create(text);
    expect([text, answer.code]).toEqual([text, 2]);
    expect(answer.words).toContain(words);
  }
});

test("a file that reads is sent, also with a byte order mark and a URL of an item's own", async () => {
  expect((await create(`\uFEFF${HEAD},callback_url\r\n${LINE},https://example.com/\r\n`)).code).toBe(3);
});

test("an action that is unknown is named", async () => {
  const { code, stdout, stderr } = await settle(["batch", "pay", "ba_1"], { SETTLE_PROFILE: keepProfile() });
  expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('Unknown action "pay"')]);
});
