import { createHash, generateKeyPairSync } from "node:crypto";
import { base58, bech32, bech32m, createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksumAddress, checkWalletAddress } from "./wallet-address.ts";

const BITCOIN = "bip122:000000000019d6689c085ae165831e93";
const BITCOIN_TESTNET = "bip122:000000000933ea01ad0ee984209779ba";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const TRON = "tron:0x2b6653dc";

const check = (chain: string, address: string, refused: string[] = []) => checkWalletAddress({ chain, address, refused });
const refusal = expect.objectContaining({
  name: "Refusal",
  code: "invalid_wallet_address",
  particulars: expect.objectContaining({ errors: [expect.objectContaining({ pointer: "/wallet_address" })] }),
});

function expectAccepted(chain: string, address: string): void {
  expect(check(chain, address)).toBe(address);
}
function isAccepted(chain: string, address: string): boolean {
  try {
    return check(chain, address) === address;
  } catch {
    return false;
  }
}
function expectRefused(chain: string, address: string, refused: string[] = []): void {
  expect(() => check(chain, address, refused)).toThrow(refusal);
}

/** The vectors of EIP-55 itself. */
const EIP_55_ALL_CAPS = ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"];
const EIP_55_ALL_LOWER = ["0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26"];
const EIP_55_NORMAL = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("an EVM address", () => {
  it.each([...EIP_55_ALL_CAPS, ...EIP_55_ALL_LOWER, ...EIP_55_NORMAL])(
    "%s of EIP-55 is accepted, and answered as it was sent",
    (address) => {
      expectAccepted("eip155:1", address);
      expect(checksumAddress(address.toLowerCase())).toBe(address);
    },
  );

  it.each(EIP_55_NORMAL)("%s is accepted all in lower or all in upper case too", (address) => {
    expectAccepted("eip155:31337", address.toLowerCase());
    expectAccepted("eip155:31337", `0x${address.slice(2).toUpperCase()}`);
  });

  it("with any one letter in the wrong case is refused", () => {
    for (const address of EIP_55_NORMAL) {
      for (let index = 2; index < address.length; index += 1) {
        const letter = address.charAt(index);
        if (/\d/.test(letter)) continue;
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        expectRefused("eip155:1", address.slice(0, index) + flipped + address.slice(index + 1));
      }
    }
  });

  it.each([
    "",
    "0x",
    "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
    " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n",
    "0x0000000000000000000000000000000000000000",
    "vitalik.eth",
    "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS",
    `0x${"a".repeat(100_000)}`,
  ])("is not %j", (address) => {
    expectRefused("eip155:1", address);
  });

  it("of a token contract or of our own treasury is refused in any case of its letters", () => {
    const [token = ""] = EIP_55_NORMAL;
    for (const address of [token, token.toLowerCase(), `0x${token.slice(2).toUpperCase()}`]) {
      expectRefused("eip155:1", address, [token]);
      expectRefused("eip155:1", address, ["0x0000000000000000000000000000000000000001", token.toLowerCase()]);
    }
    expect(check("eip155:1", token, EIP_55_NORMAL.slice(1))).toBe(token);
  });
});

describe("a Solana address", () => {
  it.each(["7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV", "4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA"])(
    "%s is accepted, unless it is a mint or a wallet of ours",
    (address) => {
      expectAccepted(SOLANA, address);
      expectRefused(SOLANA, address, [address]);
    },
  );

  it("is accepted for any key pair, and refused with a byte too many or too few", () => {
    for (let made = 0; made < 20; made += 1) {
      const key = Buffer.from(generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }).x ?? "", "base64url");
      expectAccepted(SOLANA, base58.encode(key));
      for (const other of [key.subarray(1), key.subarray(0, 31), Buffer.concat([key, Buffer.of(1)]), Buffer.concat([Buffer.of(1), key])])
        expectRefused(SOLANA, base58.encode(other));
    }
  });

  it("is refused in about half of all cases when its bytes are chance", () => {
    let accepted = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const address = base58.encode(createHash("sha256").update(`${seed}`).digest());
      accepted += isAccepted(SOLANA, address) ? 1 : 0;
    }
    expect(accepted).toBeGreaterThan(70);
    expect(accepted).toBeLessThan(130);
  });

  it.each([
    ["11111111111111111111111111111111", "the system program"],
    ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "the token program"],
    ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022"],
    ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "the program of associated accounts"],
    ["ComputeBudget111111111111111111111111111111", "the compute budget"],
    ["SysvarRent111111111111111111111111111111111", "a sysvar"],
    ["SysvarC1ock11111111111111111111111111111111", "a sysvar"],
    ["So11111111111111111111111111111111111111112", "the mint of wrapped SOL"],
    ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "the mint of USDC"],
    ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "the mint of USDT"],
    ["1nc1nerator11111111111111111111111111111111", "the incinerator"],
    ["9fmAU34wjuR6b6mGCiVWZxQNTnEo2BLabnV72wnSKs7z", "a token account"],
    [base58.encode(new Uint8Array(32).fill(255)), "no point of the curve"],
    ["", "nothing"],
    ["0OIl", "not base 58"],
    ["4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYv0", "not base 58"],
    ["4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYv", "a lost character"],
    [" 4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA", "a space"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "of EVM"],
    ["1".repeat(90_000), "too long"],
  ])("is not %j: %s", (address) => expectRefused(SOLANA, address));
});

const base58check = createBase58check((bytes) => createHash("sha256").update(bytes).digest());
const payload = (version: number, length = 20) => Uint8Array.from([version, ...Array.from({ length }, (_, index) => index + 1)]);

describe("a Tron address", () => {
  it.each(["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW"])(
    "%s is accepted",
    (address) => expectAccepted(TRON, address),
  );

  it.each([
    ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u", "a wrong checksum"],
    ["tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t", "lower case"],
    ["41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "the hex form"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "a Bitcoin address"],
    ["T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", "the zero address"],
    [base58check.encode(payload(0x41, 21)), "a byte too many"],
    [base58check.encode(payload(0xa0)), "the test network's old version byte"],
    ["", "nothing"],
  ])("is not %j: %s", (address) => expectRefused(TRON, address));
});

describe("a Bitcoin address", () => {
  // BIP-173 and BIP-350, with the scripts they pay to left out.
  it.each([
    "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    "BC1SW50QGDZ25J",
    "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
  ])("%s is accepted on the main network only", (address) => {
    expectAccepted(BITCOIN, address);
    expectRefused(BITCOIN_TESTNET, address);
  });

  it.each([
    "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
    "tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy",
    "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
    "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
    "2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc",
  ])("%s is accepted on the test networks only", (address) => {
    for (const reference of ["000000000933ea01ad0ee984209779ba", "00000000da84f2bafbbc53dee25a72ae", "00000008819873e925422c1ff0f99f7c"]) {
      expectAccepted(`bip122:${reference}`, address);
    }
    expectRefused(BITCOIN, address);
  });

  it.each([
    ["tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", "another prefix"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "a wrong checksum"],
    ["BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2", "version 17 in bech32"],
    ["bc1rw5uspcuh", "a program of one byte in bech32"],
    ["bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90", "a program too long"],
    ["BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "version 0 of 16 bytes"],
    ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7", "mixed case"],
    ["bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "more than four bits of padding"],
    ["bc1gmk9yu", "no data"],
    ["tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut", "another prefix"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "version 1 in bech32"],
    ["tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf", "version 2 in bech32"],
    ["BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL", "version 16 in bech32"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "version 0 in bech32m"],
    ["tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47", "version 0 in bech32m"],
    ["bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "a letter outside the alphabet"],
    ["BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", "version 17"],
    ["bc1pw5dgrnzv", "a program of one byte"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav", "a program of 41 bytes"],
    ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq", "mixed case"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf", "more than four bits of padding"],
    ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", "padding that is not zero"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "a wrong checksum"],
    [base58check.encode(payload(0x30)), "another coin's version byte"],
    [base58check.encode(payload(0x00, 19)), "a byte too few"],
    ["", "nothing"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "an EVM address"],
  ])("is not %j: %s", (address) => {
    expectRefused(BITCOIN, address);
    expectRefused(BITCOIN_TESTNET, address);
  });

  it("is of the witness version that its own coding is for", () => {
    const program = fc.uint8Array({ minLength: 1, maxLength: 42 });
    fc.assert(
      fc.property(program, fc.integer({ min: 0, max: 31 }), fc.boolean(), (bytes, version, isModern) => {
        const coder = isModern ? bech32m : bech32;
        const address = coder.encode("bc", [version, ...coder.toWords(bytes)]);
        const isLegal = isModern
          ? version >= 1 && version <= 16 && bytes.length >= 2 && bytes.length <= 40
          : version === 0 && [20, 32].includes(bytes.length);
        if (isLegal) expectAccepted(BITCOIN, address);
        else expectRefused(BITCOIN, address);
      }),
      { numRuns: 500 },
    );
  });

  it("is refused on a network that is not Bitcoin's", () => {
    expectRefused("bip122:12a765e31ffd4059bada1e25190f6e98", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa");
  });
});

describe("any other chain", () => {
  it.each(["cosmos:cosmoshub-4", "EIP155:1", "eip155", "constructor:1", ""])("%j is refused, whatever the address", (chain) => {
    expectRefused(chain, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
  });
});
