import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { decodeSigned, idOf } from "#server/adapters/chain/tron/transaction.ts";
import { readOrMakeKey } from "./key-file.ts";
import { tronKey } from "./tron-key.ts";

/** A key with its address and a signed transfer of TRX: trustwallet/wallet-core, tests/chains/Tron/SignerTests.cpp, SignTransfer. */
const KEY = "0x2d8f68944bdbfbc0769542fba8fc2d2a3de67393334471624364c7006da2aa54";
const ADDRESS = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
const RAW =
  "0a027b3b2208b21ace8d6ac20e7e40d8abb9bae62c5a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a15415cd0fb0ab3ce40f3051414c604b27756e69e43db121541521ea197907927725ef36d70f25f850d1659c7c71880897a70d889a4a9e62c";
const ID = "dc6f6d9325ee44ab3c00528472be16e1572ab076aa161ccd12515029869d0451";
const SIGNATURE =
  "ede769f6df28aefe6a846be169958c155e23e7e5c9621d2e8dce1719b4d952b63e8a8bf9f00e41204ac1bf69b1a663dacdf764367e48e4a5afcd6b055a747fb2";

const folder = mkdtempSync(join(tmpdir(), "settlement-tron-key-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("has the published address, and signs published bytes as published, with the key of a key file", async () => {
  const file = join(folder, "key");
  writeFileSync(file, `${KEY}\n`);
  const key = tronKey(() => readOrMakeKey(file));
  expect(await key.address()).toBe(ADDRESS);
  const { raw, signature } = decodeSigned(await key.sign(RAW));
  expect(Buffer.from(raw).toString("hex")).toBe(RAW);
  expect(idOf(raw)).toBe(ID);
  expect(Buffer.from(signature).toString("hex")).toBe(`${SIGNATURE}1b`);
});

it("opens its key again after a failure, and only once otherwise", async () => {
  let opened = 0;
  const key = tronKey(async () => {
    opened += 1;
    if (opened === 1) throw new Error("the file is away");
    return KEY;
  });
  await expect(key.address()).rejects.toThrow("the file is away");
  expect([await key.address(), await key.address()]).toEqual([ADDRESS, ADDRESS]);
  expect(opened).toBe(2);
});
