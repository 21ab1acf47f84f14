import { randomBytes } from "node:crypto";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import type { AnsweringChain } from "#server/services/ledger/answering-chain.ts";
import { bookMissedFees } from "#server/services/ledger/book-missed-fees.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { loadSeed } from "#testing/seed-file.ts";
import { allRoles } from "./application-role.ts";
import { openDatabase } from "./client.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS, readMigrations, readReleases } from "./migration-files.ts";

const KNOWN = readMigrations();
const RELEASES = Object.entries(readReleases());
/** How many migrations each release had. */
const UP_TO = RELEASES.map((_, index) => RELEASES.slice(0, index + 1).reduce((sum, [, files]) => sum + Object.keys(files).length, 0));

let admin: postgres.Sql;
beforeAll(() => {
  admin = postgres(inject("testServer").adminUrl, { max: 1, onnotice: () => {} });
});
afterAll(() => admin.end());

/** Frequent reads and writes in the words of the very first release: no later version may break them at once. */
const STATEMENTS = [
  "update settlements set status = status where id = (select id from settlements order by random() limit 1)",
  "update transfers set state = state where id = (select id from transfers order by random() limit 1)",
  "update callbacks set state = state where id = (select id from callbacks order by random() limit 1)",
  "update partners set name = name where id = (select id from partners order by random() limit 1)",
  "select count(*) from settlements s join transfers t on t.owner_id = s.id join callbacks c on c.subject_id = s.id",
  "select count(*), sum(amount) from ledger_postings p join ledger_entries e on e.id = p.entry_id",
  "select count(*) from audit_entries a left join audit_seals s on s.entry_id = a.id",
];

/** A running service with the application's role, until it is stopped. */
function keepWorking(url: string, role: string): { rounds: () => number; stop(): Promise<unknown[]> } {
  const pool = openDatabase({ url, applicationName: "version before", maxConnections: 4, role });
  const failures: unknown[] = [];
  let rounds = 0;
  let stopped = false;
  const work = async () => {
    while (!stopped) {
      for (const statement of STATEMENTS) await pool.sql.unsafe(statement).catch((error) => failures.push({ statement, error }));
      rounds += 1;
    }
  };
  const workers = Promise.all([work(), work(), work()]);
  return {
    rounds: () => rounds,
    stop: async () => {
      stopped = true;
      await workers;
      await pool.close();
      return failures;
    },
  };
}

/** A chain with a receipt for each transaction, which is asked for nothing else. */
function chainWithReceipts(chain: string): AnsweringChain {
  const cost = { blockHeight: 1_000, gasUsed: 50_000n, feeBase: 75_000_000_000_000n };
  const receipt = async (hash: string): Promise<EvmReceipt> => {
    return { ...cost, hash, blockHash: hash, succeeded: true, sender: "", logs: [], contractAddress: null };
  };
  const info = { chain, native: { currency: "ETH", decimals: 18 } };
  return { info, node: { receipt } } as unknown as AnsweringChain;
}

describe.each(RELEASES.map(([release], index) => ({ release, upTo: UP_TO[index] ?? 0 })))(
  "a database of release $release",
  ({ release, upTo }) => {
    it("is brought to the newest schema while it is worked on, and every rule about money holds on it", async () => {
      const name = `upgrade_${randomBytes(6).toString("hex")}`;
      await admin`create database ${admin(name)}`;
      const at = new URL(inject("testServer").adminUrl);
      at.pathname = `/${name}`;
      try {
        const role = await migrate(at.href, KNOWN.slice(0, upTo));
        await loadSeed(at.href, join(MIGRATIONS, "seeds", `${release}.gz`));
        const before = keepWorking(at.href, role);
        await expect.poll(before.rounds, { timeout: 60_000 }).toBeGreaterThan(2);
        await migrate(at.href);
        const then = before.rounds();
        await expect.poll(before.rounds, { timeout: 60_000 }).toBeGreaterThan(then + 2);
        expect(await before.stop()).toEqual([]);

        const pool = openDatabase({ url: at.href, applicationName: "test", maxConnections: 2, role });
        const [found] = await pool.sql`
        select (select count(*)::int from settlements where status = 'executed') as executed, (select count(*)::int from callbacks) as callbacks,
          (select count(*)::int from ledger_postings) as postings, (select count(*)::int from withdrawals) as withdrawals`;
        for (const count of Object.values(found ?? {})) expect(count).toBeGreaterThan(0);
        // What the first reconciliation after the upgrade does before it judges: the costs of before were not read from receipts.
        await expectCleanAudit({ db: pool.db }, { without: ["final_attempt_has_its_fee"] });
        for (const { chain } of await pool.sql`select distinct chain from transfers`)
          await bookMissedFees({ db: pool.db }, chainWithReceipts(chain), null);
        await expectCleanAudit({ db: pool.db });
        await pool.close();
      } finally {
        await admin`drop database ${admin(name)} with (force)`;
        await admin`drop role if exists ${admin(allRoles(name))}`;
      }
    });
  },
);
