import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processRole } from "#db/application-role.ts";
import { openAuditKey } from "#domain/audit-key.ts";
import { tokenTransfer } from "#domain/evm-intent.ts";
import { CONFIRMATIONS } from "#sandbox/chain/anvil.ts";
import type { SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { readKept } from "#sandbox/kept.ts";
import { openAttestationFolder } from "#server/adapters/attestation-folder.ts";
import { keepAttestations } from "#server/services/attestations/keep-attestations.ts";
import { sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { reconcile } from "#server/services/ledger/reconcile.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, setClockOffset } from "#testing/factories.ts";
import { runScript } from "#testing/live-stage.ts";
import { addProvenPerson } from "#testing/people.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** The commands after a restore: docs/runbooks/database-away.md. The chain has paid 100 USDT that this database does not know. */

const LONG = 120_000;
const folder = mkdtempSync(join(tmpdir(), "settlement-books-"));
let chain: TestChain;
let bench: TransferBench;
let lost: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  const database = await createTestDatabase();
  await nameItsRole(database);
  bench = await openTransferBench(chain, { database, confirmations: CONFIRMATIONS });
  await addPartner(bench.db);
  await bench.run(bench.newWorker(), [], 1);
  await chain.mine(CONFIRMATIONS);
  await keepTreasuryOpen(bench.ctx).run();
  const [from = ""] = bench.addresses;
  const { to, data } = tokenTransfer(chain.tokens.USDT, newAddress(), 100_000_000n);
  await chain.call("anvil_impersonateAccount", from);
  lost = String(await chain.call("eth_sendTransaction", { from, to, data }));
  await chain.mine(CONFIRMATIONS);
  writeFileSync(join(folder, "sandbox.json"), JSON.stringify(sandboxOf(from)));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bench.close();
  await chain.stop();
});

/** The programs work as the role of the database's own name; a test's database is a copy, and has its template's. */
async function nameItsRole({ url, role }: TestDatabase): Promise<void> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const of = new URL(url).pathname.slice(1);
  for (const kind of ["web", "worker"] as const) {
    const name = owner(processRole(of, kind));
    await owner`create role ${name} in role ${owner(role)}`;
    await owner`grant ${name} to current_user`;
  }
  await owner.end();
}

/** What a sandbox on this database and chain would say of itself. */
function sandboxOf(address: string): SandboxFile {
  const partner = { id: randomUUID(), api_key: "none", api_secret: "none", callback_secret: "whsec_none" };
  const user = { email: "nobody@example.com", password: "none" };
  return {
    base_url: "http://127.0.0.1:9",
    console_url: "http://127.0.0.1:9/console",
    partner,
    second_partner: partner,
    operator: { api_key: "none" },
    users: { admin: user, approver: user, viewer: user, owner: user, staff: user },
    chains: [{ chain: chain.chain, rpc_url: chain.rpcUrl, tokens: chain.tokens }],
    treasury: { address },
    outcomes: { blocked_wallet: address, named_wallet: address },
    receivers: { url: "http://127.0.0.1:9" },
    rail: { secret: "none" },
  };
}

const run = (script: string, ...args: string[]) => runScript(script, args, { DATA_DIR: folder, DATABASE_URL: bench.url });
const audit = (...args: string[]) => run("scripts/audit.ts", ...args);
const compare = (...args: string[]) => run("scripts/compare.ts", ...args);

it(
  "audits a restored database by itself, names what its chain has beyond it, and is clean once that is booked as lost",
  async () => {
    const { email } = await addProvenPerson(bench.db, "admin");
    expect(audit()).toMatchObject({ status: 1, stdout: expect.stringMatching(/✗ treasury_is_there.*100 USDT is missing/s) });
    const alone = audit("--without-chains");
    expect(alone).toMatchObject({ status: 0, stdout: expect.stringMatching(/ 0 violations\n$/) });
    expect(alone.stdout).toContain("✓ ledger_balances");
    expect(alone.stdout).not.toMatch(/treasury_is_there|executed_is_on_the_chain/);

    const file = join(folder, "lost.csv");
    expect(compare("--export", file)).toMatchObject({ status: 1, stdout: expect.stringContaining(lost) });
    expect(readFileSync(file, "utf8")).toContain(lost);
    expect(compare("--lost-in", file)).toMatchObject({ status: 2, stderr: expect.stringContaining("--by EMAIL and --reason TEXT") });
    const booked = compare("--lost-in", file, "--by", email, "--reason", "settled after the backup");
    expect(booked).toMatchObject({ status: 0, stdout: expect.stringMatching(/^booked .* 1 lost\n$/) });
    expect(compare("--lost", lost, "--by", email, "--reason", "again")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("is booked as lost already"),
    });
    expect(compare()).toMatchObject({ status: 0 });
    expect(audit()).toMatchObject({ status: 0, stdout: expect.stringMatching(/ 0 violations\n$/) });
  },
  LONG,
);

it(
  "audits against a folder of attestations and against one of them: 0 where all agree, and 1 with the sentence where one was edited",
  async () => {
    const auditKey = openAuditKey({ secret: Buffer.from(readKept(folder).auditKey, "base64"), publicKey: null, begins: null });
    const ctx = { ...bench.ctx, auditKey };
    const path = join(folder, "attestations");
    await sealAuditLog(ctx);
    await setClockOffset(bench.db, 86_400_000);
    await reconcile(ctx);
    await keepAttestations(ctx, openAttestationFolder(path), { settledSeconds: 0 });
    const [name = ""] = readdirSync(path);
    for (const kept of [path, join(path, name)]) {
      const agreeing = audit("--against", kept);
      expect(agreeing).toMatchObject({ status: 0, stdout: expect.stringMatching(/ 0 violations\n$/) });
      expect(agreeing.stdout).toContain("✓ attested_balances_agree");
    }
    const edited = join(folder, "edited.json");
    writeFileSync(edited, readFileSync(join(path, name), "utf8").replace(/"height":(\d+)/, '"height":$10'));
    const differing = audit("--without-chains", "--against", edited);
    expect(differing).toMatchObject({ status: 1, stdout: expect.stringContaining("edited.json: it was changed after it was signed") });
    expect(audit("--against", path, "--former-key", "no key")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("is no public key"),
    });
  },
  LONG,
);

it(
  "compares the signing journal with the database, and begins another one where two admins say so",
  async () => {
    const journal = (...args: string[]) =>
      runScript("scripts/journal.ts", args, { DATA_DIR: folder, DATABASE_URL: bench.url, SIGNING_JOURNAL: bench.journal.path });
    const [ana, ben] = [await addProvenPerson(bench.db, "admin"), await addProvenPerson(bench.db, "admin")];
    const why = ["--by", ana.email, "--confirmed-by", ben.email, "--reason", "the disk is gone"];
    expect(journal()).toMatchObject({ status: 0, stdout: expect.stringMatching(/1 records\n✓ journal and database agree\n$/) });
    writeFileSync(bench.journal.path, "nothing");
    expect(journal()).toMatchObject({ status: 1, stdout: expect.stringMatching(/✗ It is damaged or cut off after its record 0/) });
    rmSync(bench.journal.path);
    expect(journal()).toMatchObject({ status: 1, stdout: expect.stringContaining("is missing") });
    expect(journal("--rebuild", "--by", ana.email)).toMatchObject({ status: 2, stderr: expect.stringContaining("wants --by EMAIL") });
    expect(journal("--rebuild", ...why)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("has made 1 transactions, and the database knows 0"),
    });
    await bench.sql`update wallets set next_nonce = 1`;
    expect(journal("--rebuild", ...why)).toMatchObject({ status: 0, stdout: expect.stringContaining("0 entries. Start the workers") });
    expect(journal()).toMatchObject({ status: 0 });
  },
  LONG,
);
