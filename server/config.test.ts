import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publicHalfOf } from "#domain/audit-key.ts";
import { readSignerConfig } from "#server/config/read-signer.ts";
import { assertSignsNothing, readConfig, readWorkerConfig } from "#server/config.ts";
import { AUDIT_KEY, CHAIN, folder, KMS, LIVE, problemsOf, SANDBOX, TOKEN, VAULT_KEY, WORKERS, withChain } from "#testing/settings.ts";

describe("the sandbox's configuration", () => {
  test("gives the signer the token's PIN and, of the environment, only what its library needs", () => {
    const written = { ...TOKEN, library_env: ["HSM_CONF"] };
    const env = { ...withChain({ wallets: [written, KMS] }), TOKEN_PIN: "4938", HSM_CONF: "/etc/hsm", PATH: "/bin", OTHER: "x" };
    const [token, kms] = readSignerConfig(env).chains[0]?.wallets ?? [];
    const { pin_env: _pin, library_env: _env, ...rest } = written;
    expect(token).toEqual({ ...rest, pin: "4938", env: { HSM_CONF: "/etc/hsm", PATH: "/bin" } });
    expect(kms).toEqual({ ...KMS, endpoint: null });
  });

  test("gives the signer the fingerprints of the rules that it accepts, and refuses anything else in their place", () => {
    const [one, other] = ["a".repeat(43), "B-_9".padEnd(43, "0")];
    const accepted = (text: string | undefined) => [...readSignerConfig({ ...SANDBOX, ACCEPTED_RULES: text }).acceptedRules];
    expect([accepted(undefined), accepted(`${one}, ${other}`)]).toEqual([[], [one, other]]);
    expect([...readSignerConfig({ ...SANDBOX, TRUSTED_PASSKEYS: one }).trustedPasskeys]).toEqual([one]);
    expect(() => readSignerConfig({ ...SANDBOX, TRUSTED_PASSKEYS: "all" })).toThrow("TRUSTED_PASSKEYS must be fingerprints");
    for (const wrong of [`${one}.`, one.slice(1), `${one};${other}`])
      expect(() => accepted(wrong)).toThrow(/^.*ACCEPTED_RULES must be fingerprints/s);
  });

  test("needs only a database, chains and vault keys, and has the contract's defaults", () => {
    const config = readConfig(SANDBOX);
    expect(config).toMatchObject({
      mode: "sandbox",
      port: 3000,
      baseUrl: "http://localhost:3000",
      brand: "Service",
      rateSource: "fixed",
      fiatRail: { kind: "simulated" },
      driftToleranceBps: 10,
      decisionTargetMinutes: 60,
      rateLimits: { writesPerSecond: 50, readsPerSecond: 200 },
      callbackAllowedHosts: ["localhost", "127.0.0.1"],
      callbackPorts: null,
      trustedProxies: [],
      logLevel: "info",
    });
    expect(config.vaultKeys[0]?.key).toHaveLength(32);
  });

  test("takes an empty variable for one that is not set", () => {
    expect(readConfig({ ...SANDBOX, PORT: "", BRAND: " ", BASE_URL: "" })).toMatchObject({ port: 3000, brand: "Service" });
  });

  test("reads chains from a file, and finds key files next to it", () => {
    const file = join(folder, "chains.json");
    writeFileSync(file, SANDBOX.CHAINS);
    const config = readSignerConfig({ ...SANDBOX, CHAINS: undefined, CHAINS_FILE: file });
    expect(config.chains[0]?.wallets).toEqual([{ signer: "sandbox", keyFile: join(folder, "treasury.key") }]);
  });
});

describe("a process that signs nothing", () => {
  test("starts without that setting, a worker too; the signer does not", () => {
    const chains = JSON.stringify([{ ...CHAIN, chain: "eip155:31337", wallets: undefined }]);
    expect(readConfig({ ...SANDBOX, CHAINS: chains }).chains).toHaveLength(1);
    expect(readWorkerConfig({ ...SANDBOX, CHAINS: chains }).chains).toHaveLength(1);
    expect(() => readSignerConfig({ ...SANDBOX, CHAINS: chains })).toThrow("CHAINS[0].wallets wants at least one treasury wallet.");
  });

  test("does not start in live mode with a wallet's password in its environment", () => {
    expect(() => assertSignsNothing(LIVE)).toThrow("WALLET_PASSWORD is set: a web process signs nothing");
    expect(() => assertSignsNothing({ ...LIVE, WALLET_PASSWORD: undefined })).toThrow("AUDIT_KEY is set: a web process signs nothing");
    const unsigning = { WALLET_PASSWORD: undefined, AUDIT_KEY: undefined };
    expect(() => assertSignsNothing({ ...LIVE, ...unsigning })).toThrow("FIAT_RAIL_ORDER_SECRET is set: a web process signs nothing");
    const bare = { ...unsigning, FIAT_RAIL_ORDER_SECRET: undefined };
    const former = [{ name: "before", secret: "q8Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg2", order_secret: "o", url: "https://before.example" }];
    expect(() => assertSignsNothing({ ...LIVE, ...bare, FIAT_RAIL_FORMER: JSON.stringify(former) })).toThrow(
      "FIAT_RAIL_FORMER with the order_secret of before is set: a web process signs nothing",
    );
    expect(() => assertSignsNothing({ ...LIVE, ...bare })).not.toThrow();
    const settings = { ...withChain({ wallets: [TOKEN, KMS] }), AUDIT_KEY: undefined, FIAT_RAIL_ORDER_SECRET: undefined };
    expect(() => assertSignsNothing({ ...settings, TOKEN_PIN: "4938" })).toThrow("TOKEN_PIN is set: a web process signs nothing");
    expect(() => assertSignsNothing({ ...settings, AWS_SESSION_TOKEN: "t" })).toThrow(
      "AWS_SESSION_TOKEN is set: a web process signs nothing",
    );
    expect(() => assertSignsNothing({ ...LIVE, ...bare, AWS_SESSION_TOKEN: "t" })).not.toThrow();
    expect(() => assertSignsNothing(SANDBOX)).not.toThrow();
  });
});

describe("a faulty configuration", () => {
  test("is refused with every problem at once, in plain sentences", () => {
    expect(
      problemsOf({
        PORT: "http",
        BRAND: "my brand",
        VAULT_KEYS: "short",
        CHAINS: "[]",
        LOG_LEVEL: "loud",
        TRUSTED_PROXIES: "10.0.0.0/33",
        SIGNER_SOCKET: "/s",
      }),
    ).toEqual([
      "PORT must be a whole number from 0 to 65535.",
      "BRAND must be letters, digits and hyphens, at most 32, a letter first.",
      expect.stringMatching(/^VAULT_KEYS must be one or more entries of the form id:key/),
      "TRUSTED_PROXIES must be addresses or CIDR ranges, separated by commas.",
      "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.",
      "CHAINS names no chain.",
      "DATABASE_URL is missing.",
    ]);
  });

  test.each([
    ["CHAINS is not valid JSON.", "{"],
    ["CHAINS wants a JSON array of chains.", "{}"],
    ["CHAINS[0].chain wants the CAIP-2 name of a supported chain, such as eip155:1.", JSON.stringify([{ ...CHAIN, chain: "ethereum" }])],
    ["CHAINS[0].tokens[0].decimals wants a whole number.", JSON.stringify([{ ...CHAIN, tokens: [{ ...CHAIN.tokens[0], decimals: 6.5 }] }])],
    [
      "CHAINS[0].tokens[0].address wants an address of 0x and 40 hexadecimal digits.",
      JSON.stringify([{ ...CHAIN, tokens: [{ ...CHAIN.tokens[0], address: "0x1" }] }]),
    ],
    ["CHAINS[0].wallets wants at least one treasury wallet.", JSON.stringify([{ ...CHAIN, wallets: [] }])],
    [
      "CHAINS[0].wallets[0].signer wants keystore, remote, pkcs11 or aws-kms, in the sandbox also sandbox.",
      JSON.stringify([{ ...CHAIN, wallets: [{ signer: "paper" }] }]),
    ],
    ["CHAINS[0].name is missing: it wants a string.", JSON.stringify([{ ...CHAIN, name: undefined }])],
    ["CHAINS[0] has unknown members: confirmation.", JSON.stringify([{ ...CHAIN, confirmation: 3 }])],
    ["CHAINS[0].explorer_url wants an http or https URL.", JSON.stringify([{ ...CHAIN, explorer_url: "javascript:alert(1)" }])],
    ["CHAINS names eip155:1 twice.", JSON.stringify([CHAIN, CHAIN])],
    ["CHAINS names USDT on eip155:1 twice.", JSON.stringify([{ ...CHAIN, tokens: [CHAIN.tokens[0], CHAIN.tokens[0]] }])],
    ["CHAINS[0].gas wants coin, token or same-as-token.", JSON.stringify([{ ...CHAIN, gas: "oil" }])],
  ])("says of chains: %s", (sentence, chains) => {
    expect(problemsOf({ ...LIVE, CHAINS: chains })).toContain(sentence);
  });

  test("never repeats a secret in what it says", () => {
    const text = problemsOf({
      ...LIVE,
      DATABASE_URL: "postgres://u:hunter2@db/x?sslmode=verify-full",
      VAULT_KEYS: "k1:c2VjcmV0LWluLXRoZS1jb25maWc=",
      WALLET_PASSWORD: "tulips",
    }).join("\n");
    for (const secret of ["hunter2", "c2VjcmV0", "tulips"]) expect(text).not.toContain(secret);
    expect(text).toContain("DATABASE_URL: the password");
  });
});

describe("live mode", () => {
  test("starts with a complete and safe configuration", () => {
    expect(problemsOf(LIVE)).toEqual([]);
    expect(readWorkerConfig(WORKERS)).toMatchObject({
      mode: "live",
      callbackAllowedHosts: [],
      callbackPorts: [443, 8443],
      rateSource: "http",
      rateHttp: { minimumTickers: 2, timeoutMs: 3_000 },
      fiatRail: { kind: "http", secret: LIVE.FIAT_RAIL_SECRET },
      httpRails: [
        {
          url: "https://rail.example/v1",
          secret: LIVE.FIAT_RAIL_ORDER_SECRET,
          paths: { collect: "/collections", payOut: "/payouts", lookUp: "/orders/status", balance: null },
          timeoutMs: 10_000,
        },
      ],
    });
    expect(readConfig({ ...LIVE, CALLBACK_PORTS: "443, 9443" }).callbackPorts).toEqual([443, 9_443]);
    expect(problemsOf({ ...LIVE, CALLBACK_PORTS: "https" })).toEqual(["CALLBACK_PORTS must be port numbers, separated by commas."]);
    expect(readConfig({ ...LIVE, RETENTION_DAYS: "api_log:60" }).retention).toMatchObject({ api_log: 60, archive: 400 });
    expect(problemsOf({ ...LIVE, RETENTION_DAYS: "api_log:1" })).toEqual([expect.stringMatching(/^RETENTION_DAYS must be days/)]);
    expect([readConfig(LIVE).vaultBinds, readConfig({ ...SANDBOX, VAULT_BINDS: "0" }).vaultBinds]).toEqual([true, false]);
    expect(readWorkerConfig(WORKERS).rateHttp?.tickers[1]?.headers).toEqual({ "X-Api-Key": "b17-key" });
  });

  test("keeps the providers before the present one, by name, with paths of their own", () => {
    const secret = "q8Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg2";
    const order_secret = "y4Ts-bH8kPw3_nMd6Rf2-eQj9Lc7vXa5";
    const former = [{ name: "fiat", secret, order_secret, url: "https://before.example/", payout_path: "/pay" }];
    const config = readWorkerConfig({ ...WORKERS, FIAT_RAIL_NAME: "acme", FIAT_RAIL_FORMER: JSON.stringify(former) });
    const paths = { collect: "/collections", payOut: "/pay", lookUp: "/orders/status", balance: null };
    expect(config.fiatRail).toMatchObject({ name: "acme", former: [{ name: "fiat", secret }] });
    expect(config.httpRails).toMatchObject([
      { name: "acme", secret: LIVE.FIAT_RAIL_ORDER_SECRET },
      { name: "fiat", secret: order_secret, url: "https://before.example", paths, timeoutMs: 10_000 },
    ]);
    expect(readConfig(LIVE).fiatRail).toMatchObject({ name: "fiat", former: [] });
  });

  test("says all that is missing at once", () => {
    expect(problemsOf({ MODE: "live", SIGNER_SOCKET: "/s" })).toEqual([
      "CHAINS is missing: the chains to pay on, as JSON, or CHAINS_FILE with the name of a file that holds it.",
      "DATABASE_URL is missing.",
      "VAULT_KEYS is missing.",
      "BASE_URL is missing: the https address under which partners reach the service.",
      "RATE_SOURCE is missing: live mode needs http.",
      "FIAT_RAIL is missing: live mode needs http.",
      "FIAT_RAIL_SECRET is missing: what the fiat provider signs its callbacks with.",
      "FIAT_RAIL_URL is missing: the address of the fiat provider.",
      "FIAT_RAIL_ORDER_SECRET is missing: what orders to the fiat provider are signed with.",
      expect.stringMatching(/^AUDIT_KEY is missing/),
      expect.stringMatching(/^RATE_HTTP is missing/),
      expect.stringMatching(/^SIGNING_JOURNAL is missing/),
    ]);
  });

  test("signs the audit log with a random key, whose public half everybody may see", () => {
    const publicKey = publicHalfOf(AUDIT_KEY);
    expect(readWorkerConfig(WORKERS)).toMatchObject({ auditKey: AUDIT_KEY, auditPublicKey: publicKey, auditAnchor: null });
    expect(readConfig({ ...LIVE, AUDIT_KEY: undefined, AUDIT_PUBLIC_KEY: publicKey.toString("base64") }).auditPublicKey).toEqual(publicKey);
    expect(problemsOf({ ...LIVE, AUDIT_KEY: Buffer.alloc(32).toString("base64") })).toEqual([expect.stringMatching(/^AUDIT_KEY repeats/)]);
    expect(problemsOf({ ...LIVE, AUDIT_PUBLIC_KEY: VAULT_KEY })).toEqual(["AUDIT_PUBLIC_KEY is not that of AUDIT_KEY."]);
    expect(readConfig({ ...LIVE, AUDIT_ANCHOR: `12:${"a".repeat(64)}` }).auditAnchor).toEqual({ seq: 12, hash: "a".repeat(64) });
    expect(problemsOf({ ...LIVE, AUDIT_ANCHOR: "12" })).toEqual([expect.stringMatching(/^AUDIT_ANCHOR must be an end/)]);
  });

  test("takes one host for one, whatever the password is made of", () => {
    expect(problemsOf({ ...LIVE, DATABASE_URL: "postgres://settlement:h7Kq-29,fmWx_tR@db.example.com/x?sslmode=verify-full" })).toEqual([]);
  });

  test("listens on this machine alone, unless the settings say otherwise", () => {
    expect(readConfig(LIVE).host).toBe("127.0.0.1");
    expect(readConfig({ ...LIVE, HOST: "0.0.0.0" }).host).toBe("0.0.0.0");
  });

  test("accepts random vault keys, all of a thousand", () => {
    for (let round = 0; round < 1_000; round += 1)
      expect(problemsOf({ ...LIVE, VAULT_KEYS: `k:${randomBytes(32).toString("base64")}` })).toEqual([]);
  });

  test("asks a web process for no wallet's password and hands it none", () => {
    const env = { ...LIVE, WALLET_PASSWORD: undefined, RATE_HTTP: undefined };
    expect(problemsOf(env, readConfig)).toEqual([]);
    expect(JSON.stringify(readConfig(LIVE))).not.toContain(LIVE.WALLET_PASSWORD);
  });
});

describe("screening", () => {
  const ORACLE = "0x40C57923924B5c5c5455c48D93317139ADDaC8fb";
  const ONE = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
  const list = join(folder, "list.txt");
  writeFileSync(list, `# addresses: 1\n${ONE}\n`);
  const withOracle = withChain({ sanctions_oracle: ORACLE, tokens: [{ ...CHAIN.tokens[0], blocklist: "isBlackListed" }] });

  test("live mode does not start where recipients are to be screened and nobody could answer; it is said to be off, or given somebody", () => {
    const nobody = [expect.stringMatching(/^SCREENING is required, and there is nobody to ask: .*sanctions_oracle.*SCREENING_LIST.*off/)];
    expect(problemsOf({ ...LIVE, SCREENING: undefined })).toEqual(nobody);
    expect(problemsOf({ ...LIVE, SCREENING: "required" })).toEqual(nobody);
    expect(readConfig(LIVE).screening).toMatchObject({ isOn: false });
    expect(readConfig({ ...LIVE, SCREENING: undefined, SCREENING_LIST: list }).screening).toMatchObject({
      isOn: true,
      list,
      confirmMs: 1_000,
    });
    expect(readConfig({ ...withOracle, SCREENING: undefined }).screening).toEqual({
      isOn: true,
      list: null,
      names: null,
      oracles: { "eip155:1": ORACLE },
      blocklists: [{ chain: "eip155:1", token: CHAIN.tokens[0]?.address, question: "isBlackListed" }],
      confirmMs: 1_000,
    });
  });

  test("an issuer's blocklist is nobody who could clear a recipient", () => {
    const alone = withChain({ tokens: [{ ...CHAIN.tokens[0], blocklist: "isBlackListed" }] });
    expect(problemsOf({ ...alone, SCREENING: "required" })).toHaveLength(1);
  });

  test("the sandbox screens where it is given somebody to ask", () => {
    expect(readConfig(SANDBOX).screening.isOn).toBe(false);
    expect(readConfig({ ...SANDBOX, SCREENING_LIST: list }).screening.isOn).toBe(true);
    expect(readConfig({ ...SANDBOX, SCREENING_LIST: list, SCREENING: "off" }).screening.isOn).toBe(false);
  });

  test("faults name their place", () => {
    const half = join(folder, "half.txt");
    writeFileSync(half, `# addresses: 2\n${ONE}\n`);
    const problems = (change: object) => problemsOf({ ...LIVE, ...change });
    expect(problems({ SCREENING_LIST: half })).toEqual([`SCREENING_LIST: ${half} is not whole: it holds 1 addresses and says 2.`]);
    expect(problems({ SCREENING_LIST: "/nowhere" })).toEqual(["SCREENING_LIST: /nowhere cannot be read (ENOENT)."]);
    expect(problems({ SCREENING: "no" })).toContain("SCREENING must be required or off.");
    expect(problems({ SCREENING_CONFIRM_MS: "0" })).toEqual(["SCREENING_CONFIRM_MS must be a whole number from 50 to 5000."]);
    expect(problemsOf(withChain({ sanctions_oracle: "0x1" }))).toContain(
      "CHAINS[0].sanctions_oracle wants an address of 0x and 40 hexadecimal digits.",
    );
    expect(problemsOf(withChain({ tokens: [{ ...CHAIN.tokens[0], blocklist: "isBad" }] }))).toContain(
      "CHAINS[0].tokens[0].blocklist wants isBlackListed, isBlacklisted, isBlocked or none.",
    );
  });
});
