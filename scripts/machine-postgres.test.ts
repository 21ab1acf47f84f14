import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { readAdviceFacts } from "#db/queries/maintenance/advice-facts.ts";
import { readBackupFigures } from "#domain/backup-figures.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { runScript } from "#testing/live-stage.ts";
import { machinePostgres, startMachinePostgres } from "#testing/machine-postgres.ts";
import { type BenchDatabase, benchServerOn } from "#testing/stage/database.ts";
import { issueKey, testContext } from "#testing/surface.ts";

/** The operator's commands on the machine's PostgreSQL. The backup is a base backup that the running server sends. */

let server: TemporaryPostgres;
let folder: string;
beforeAll(async () => {
  server = await startMachinePostgres({ shared_preload_libraries: "pg_stat_statements" });
  folder = mkdtempSync("/tmp/settlement-verified-");
  chmodSync(folder, 0o777);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

const programs = () => join(machinePostgres(), "bin");
const figures = () => join(folder, "backup.prom");
const backup = () => `${programs()}/pg_basebackup --dbname='${server.superuserUrl}' -D "$DATA" -X stream -c fast`;
const verify = ({ url }: Pick<BenchDatabase, "url">, restore: string) => {
  const where = ["--below", folder, "--programs", programs(), "--database", new URL(url).pathname.slice(1)];
  return runScript("scripts/verify-backup.ts", [...where, "--restore", restore, "--figures", figures()], {});
};

it("verify-backup restores a backup apart, audits it, and writes its age and the time of the restore as figures", async () => {
  await benchServerOn(server).withDatabase(async (database) => {
    const began = Date.now() - 1_000;
    const ctx = testContext(database.db);
    await issueKey(ctx);
    await sealAuditLog(ctx);
    const good = verify(database, backup());
    expect(good).toMatchObject({ status: 0, stdout: expect.stringContaining(", 0 violations") });
    const text = readFileSync(figures(), "utf8");
    const { verifiedAt, violations } = readBackupFigures(text);
    expect([Number(verifiedAt) > began, violations]).toEqual([true, 0]);
    const taken = Number(/^settlement_backup_verified_taken_timestamp_seconds (\S+)$/m.exec(text)?.[1]) * 1_000;
    expect(Math.abs(taken - Date.now())).toBeLessThan(60_000);
    expect(Number(/^settlement_backup_restore_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);

    await database.owner`alter table audit_entries disable trigger user`;
    await database.owner`update audit_entries set action = 'api_key.revoked'`;
    const forged = verify(database, backup());
    expect([forged.status, forged.stdout]).toEqual([1, expect.stringMatching(/✗ audit_log/)]);
    expect(readBackupFigures(readFileSync(figures(), "utf8")).violations).toBeGreaterThan(0);
    const kept = readFileSync(figures(), "utf8");

    const broken = verify(database, `${backup()} && rm -r "$DATA/global"`);
    expect([broken.status, broken.stderr.trim().split("\n")]).toEqual([2, [expect.stringContaining("pg_controldata failed")]]);
    const none = verify(database, "echo the repository is not there >&2; false");
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("the repository is not there")]);
    expect([readFileSync(figures(), "utf8"), readdirSync(folder)]).toEqual([kept, ["backup.prom"]]);
  });
});

it("advise names the index that nothing reads, the space that dead rows take, slow statements and settings that do not fit", async () => {
  await benchServerOn(server).withDatabase(async ({ url }) => {
    const asSuperuser = new URL(server.superuserUrl);
    asSuperuser.pathname = new URL(url).pathname;
    await withConnection(asSuperuser.href, async (sql) => {
      await sql`create extension pg_stat_statements`;
      await sql`create table bloated (id int primary key, text text not null)`;
      await sql`create index bloated_text on bloated (text)`;
      await sql`insert into bloated select n, md5(n::text) from generate_series(1, 20000) n`;
      await sql`delete from bloated where id > 2000`;
      await sql`select pg_stat_force_next_flush()`;
      await sql`analyze bloated`;
      await sql`select pg_stat_force_next_flush()`;
    });
    const { db, close } = openDatabase({ url: asSuperuser.href, applicationName: "advised", maxConnections: 1 });
    try {
      await expect.poll(async () => (await readAdviceFacts(db)).tables.find(({ table }) => table === "bloated")?.dead).toBe(18_000);
      const { tables, unusedIndexes, statements } = await readAdviceFacts(db);
      const bloated = tables.find(({ table }) => table === "bloated");
      expect(bloated).toMatchObject({ live: 2_000, autovacuumed: false });
      expect((bloated?.size ?? 0) / (bloated?.expected ?? 0)).toBeGreaterThan(5);
      expect(unusedIndexes.filter(({ table }) => table === "bloated")).toMatchObject([{ index: "bloated_text" }]);
      expect(statements?.some(({ text, calls }) => text.startsWith("insert into bloated") && calls === 1)).toBe(true);
    } finally {
      await close();
    }
    const { status, stdout } = runScript("scripts/advise.ts", ["--database", asSuperuser.href], {});
    expect([status, stdout]).toEqual([1, expect.stringMatching(/! settings: checkpoint_timeout is 300: .*\n {4}Set it to 15min/)]);
  });
});
