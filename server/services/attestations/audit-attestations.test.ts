import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { type Attestation, readAttestation, writeAttestation } from "#domain/attestation.ts";
import { openAuditKey } from "#domain/audit-key.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { type AttestedDays, openAttestedDays } from "#testing/attested-days.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTamperer } from "#testing/tamper.ts";
import { auditAttestations, type KeptAttestations } from "./audit-attestations.ts";

/** Three attested days of a service, and whatever somebody may do to them afterwards. */

let chain: TestChain;
let node: RpcProxy;
let days: AttestedDays;
let tamperer: ReturnType<typeof openTamperer>;
let backup: TestDatabase;
let folder: KeptAttestations;
let names: string[];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  node = await startRpcProxy(chain.rpcUrl);
  days = await openAttestedDays(chain, { rpcUrls: [node.url] });
  for (let day = 1; day <= 3; day += 1) {
    await days.pay();
    await days.nextDay();
    await days.keep();
    if (day === 1) backup = await copyTestDatabase(days.bench);
  }
  tamperer = openTamperer(days.bench.url);
  const files = readdirSync(days.path)
    .toSorted()
    .map((name) => ({ name, content: readFileSync(join(days.path, name), "utf8") }));
  folder = { files, isFolder: true };
  names = files.map(({ name }) => name.replace(".json", ""));
});
afterAll(async () => {
  await tamperer.close();
  await backup.close();
  await days.close();
  await node.stop();
  await chain.stop();
});

type More = Partial<Omit<Parameters<typeof auditAttestations>[0], "db">>;
/** Every disagreement, `subject: sentence`, the audit log's ends among them. */
async function found(db: Database, kept = folder, more: More = {}): Promise<string[]> {
  const { outcomes, ends } = await auditAttestations({ db, auditKey: days.ctx.auditKey, ...more }, kept);
  const { rules } = await auditDatabase({ db }, { anchors: ends });
  const log = rules.filter(({ rule }) => rule === "audit_log_is_sealed");
  return [...outcomes, ...log].flatMap(({ violations }) => violations.map(({ subject, detail }) => `${subject}: ${detail}`));
}
const foundAfter = (change: string) => tamperer.tamper(change, (tx) => found(tx));
const only = (index: number): KeptAttestations => ({ files: folder.files.slice(index, index + 1), isFolder: false });
const without = (index: number): KeptAttestations => ({ files: folder.files.toSpliced(index, 1), isFolder: true });
/** The folder with one attestation written again. */
function withChanged(index: number, change: (content: string) => string): KeptAttestations {
  return { files: folder.files.map((file, at) => (at === index ? { ...file, content: change(file.content) } : file)), isFolder: true };
}
function signedAgain(content: string, change: Partial<Attestation>, key = days.ctx.auditKey): string {
  const read = readAttestation(content);
  if (read === null || key.attest === null) throw new Error("it cannot be signed again");
  return writeAttestation({ ...read.attestation, ...change }, key.attest);
}
const ENTRY = (day: number) => `(select max(id) from ledger_entries where cause = 'settlement' and at < '${names[day]}')`;

describe("three untouched days", () => {
  it("agree with each other, the database and the chain, as a folder and one by one", async () => {
    const { outcomes, notes } = await auditAttestations(days.ctx, folder);
    expect(outcomes.map(({ rule, checked, violations }) => ({ rule, isChecked: checked > 0, violations }))).toEqual(
      ["attestations_are_genuine", "attestations_follow_each_other", "attested_books_are_unchanged", "attested_balances_agree"].map(
        (rule) => ({ rule, isChecked: true, violations: [] }),
      ),
    );
    expect(notes).toEqual([]);
    for (const index of [0, 1, 2]) expect(await found(days.bench.db, only(index), { evm: days.ctx.evm })).toEqual([]);
  });
});

describe("a database that somebody changed", () => {
  it("is found by a posting of another amount: the span of days, and each account's balance then and now", async () => {
    const sentences = await foundAfter(
      `update ledger_postings set amount = amount + sign(amount) * 5000000 where entry_id = ${ENTRY(1)} and currency = 'USDT' and account in ('treasury', 'conversion')`,
    );
    expect(sentences).toHaveLength(3);
    expect(sentences[0]).toBe(
      `${names[1]}: an entry of the ledger from before ${names[1]} and since ${names[0]} was changed after it was attested`,
    );
    expect(sentences[1]).toMatch(
      /^.*: the balance of conversion in USDT on eip155:31337 before .* was attested as [\d.-]+, and is [\d.-]+$/,
    );
    expect(sentences[2]).toContain("the balance of treasury in USDT");
  });

  it("is found by an entry that names another payment, though no balance moved", async () => {
    const sentences = await foundAfter(`update ledger_entries set cause_id = 'another' where id = ${ENTRY(0)}`);
    expect(sentences).toEqual([`${names[0]}: an entry of the ledger from before ${names[0]} was changed after it was attested`]);
  });

  it("is found by an entry that is gone, and by one that was put in with an old date", async () => {
    const gone = `delete from ledger_postings where entry_id = ${ENTRY(2)}; delete from ledger_entries where id = ${ENTRY(2)}`;
    expect(await foundAfter(gone)).toContainEqual(
      expect.stringMatching(new RegExp(`^${names[2]}: 1 of the ledger's \\d+ entries from before ${names[2]} is gone$`)),
    );
    const more = `insert into ledger_entries (id, cause, cause_id, step, phase, lines, at)
      select id || '0', cause, 'another', step, phase, lines, at from ledger_entries where id = ${ENTRY(0)}`;
    expect(await foundAfter(more)).toEqual([`${names[0]}: the ledger has 1 more entry from before ${names[0]} than when it was attested`]);
  });

  it("is found by an audit log that was cut off before an attested end", async () => {
    const sentences = await foundAfter(`
      with cut as (delete from audit_seals where seq >= (select max(seq) from audit_seals) - 1 returning entry_id)
      delete from audit_entries where id in (select entry_id from cut)`);
    expect(sentences).toContainEqual(
      expect.stringMatching(/^seal #\d+: The chain does not pass here any more as it did when this was kept\.$/),
    );
  });

  it("is found by an attestation of its own that is another, or gone", async () => {
    expect(await foundAfter(`update attestations set hash = repeat('0', 64) where day = '${names[1]}'`)).toEqual([
      `${names[1]}: the database has another attestation of this day`,
    ]);
    expect(await foundAfter(`delete from attestations where day = '${names[1]}'`)).toEqual([
      `${names[1]}: the database does not know it: it was restored from an earlier backup, or the row was removed`,
    ]);
  });

  it("is found when it was rewound to a backup of the first day", async () => {
    const sentences = await found(backup.db);
    for (const sentence of [
      `${names[2]}: the database does not know it: it was restored from an earlier backup, or the row was removed`,
      expect.stringMatching(new RegExp(`^${names[1]}: \\d+ of the ledger's \\d+ entries from before ${names[1]} are gone$`)),
      expect.stringMatching(new RegExp(`^${names[2]}: tr_\\w+ is no longer in transfers: it was removed, or the database is older$`)),
      expect.stringMatching(/^seal #\d+: The chain does not pass here any more/),
    ])
      expect(sentences).toContainEqual(sentence);
    expect(await found(backup.db, only(0))).toEqual([]);
  });
});

describe("an attestation that somebody changed", () => {
  it("is named when an amount in it is another, and when it is no attestation any more", async () => {
    const edited = withChanged(1, (content) => content.replace('"amount":"-', '"amount":"-1'));
    expect(await found(days.bench.db, edited)).toEqual([
      `${names[1]}.json: it was changed after it was signed`,
      `${names[2]}: the attestation of ${names[1]} is missing, from which it continues`,
      `${names[1]}: it is missing: the database knows an attestation of this day`,
    ]);
    for (const change of [(text: string) => text.slice(0, -20), (text: string) => text.replace(",", ", "), () => ""]) {
      expect((await found(days.bench.db, withChanged(1, change)))[0]).toBe(
        `${names[1]}.json: it is no attestation as a worker writes it: it was changed, or cut off`,
      );
    }
  });

  it("is named when another key has signed it; an earlier key of ours is given manually", async () => {
    const another = openAuditKey({ secret: randomBytes(32), publicKey: null, begins: null });
    const foreign = withChanged(2, (content) => signedAgain(content, { key: another.publicKey ?? "" }, another));
    const sentence = `${names[2]}.json: the key ${another.publicKey} has signed it, and this installation's is ${days.ctx.auditKey.publicKey}`;
    expect(await found(days.bench.db, foreign)).toContain(sentence);
    expect(await found(days.bench.db, foreign, { formerKeys: [another] })).not.toContain(sentence);
    expect(await found(days.bench.db, only(0), { auditKey: another })).toEqual([
      `${names[0]}.json: the key ${days.ctx.auditKey.publicKey} has signed it, and this installation's is ${another.publicKey}`,
    ]);
  });

  it("is named when it is of another installation with the same key", async () => {
    const installation = "0".repeat(64);
    const [sentence] = await found(
      days.bench.db,
      withChanged(0, (content) => signedAgain(content, { installation })),
    );
    expect(sentence).toContain(`${names[0]}.json: it is of another installation: its audit log begins with ${installation}`);
  });

  it("is named when our key has signed another one for the same day", async () => {
    const kept = withChanged(1, (content) => signedAgain(content, { pools: [], made_at: "2026-01-01T00:00:00.000Z" }));
    expect(await found(days.bench.db, kept)).toEqual([
      `${names[1]}: the database has another attestation of this day`,
      `${names[2]}: it continues from another attestation of ${names[1]} than the one that is there`,
    ]);
  });

  it("is named when its file has another day's name", async () => {
    const files = folder.files.map((file, at) => (at === 0 ? { ...file, name: "2020-01-01.json" } : file));
    expect(await found(days.bench.db, { files, isFolder: true })).toEqual([`2020-01-01.json: it is of ${names[0]}`]);
  });
});

describe("a missing day", () => {
  it("is named by the next one, and by the database", async () => {
    for (const index of [0, 1])
      expect(await found(days.bench.db, without(index))).toEqual([
        `${names[index + 1]}: the attestation of ${names[index]} is missing, from which it continues`,
        `${names[index]}: it is missing: the database knows an attestation of this day`,
      ]);
    expect(await found(days.bench.db, without(2))).toEqual([`${names[2]}: it is missing: the database knows an attestation of this day`]);
    expect(await found(days.bench.db, { files: [], isFolder: true })).toContain("the folder: there is no attestation in it");
  });
});

describe("a chain that disagrees", () => {
  const rules: [what: string, rule: RpcProxy["rule"], sentence: RegExp][] = [
    [
      "has another block at that height",
      (method, [at]) =>
        method === "eth_getBlockByNumber" && at !== "latest"
          ? { alter: (block) => ({ ...(block as object), hash: `0x${"f".repeat(64)}` }) }
          : "pass",
      /block \d+ of eip155:31337 was attested as 0x[0-9a-f]{64}, and the chain has 0xf{64}$/,
    ],
    [
      "says that a wallet held something else",
      (method) => (method === "eth_call" ? { result: `0x${"1".padStart(64, "0")}` } : "pass"),
      /0x\w{40} was attested to hold [\d.]+ USDT at block \d+ of eip155:31337, and held 0.000001$/,
    ],
    ["does not answer", () => "refuse", /not proven: no node of the chain answers$/],
  ];
  it.each(rules)("is named when it %s", async (_what, rule, sentence) => {
    node.rule = rule;
    try {
      expect(await found(days.bench.db, folder, { evm: days.ctx.evm })).toContainEqual(expect.stringMatching(sentence));
    } finally {
      node.rule = () => "pass";
    }
  });

  it("is only noted when its node has forgotten that block's state", async () => {
    node.rule = (method) =>
      method === "eth_call" || method === "eth_getBalance" ? { error: { code: -32_000, message: "missing trie node" } } : "pass";
    try {
      const { outcomes, notes } = await auditAttestations(days.ctx, folder);
      expect(outcomes.flatMap(({ violations }) => violations)).toEqual([]);
      expect(notes).toEqual([
        expect.stringMatching(
          /the balances at block \d+ of eip155:31337 were not compared; an archive node knows them: .*missing trie node/,
        ),
      ]);
    } finally {
      node.rule = () => "pass";
    }
  });
});
