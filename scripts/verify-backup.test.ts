import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readBackupFigures } from "#domain/backup-figures.ts";
import type { TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { sealAuditLog } from "#server/services/audit/seal-audit-log.ts";
import { runScript } from "#testing/live-stage.ts";
import { machinePostgres, startMachinePostgres } from "#testing/machine-postgres.ts";
import { type BenchDatabase, benchServerOn } from "#testing/stage/database.ts";
import { issueKey, testContext } from "#testing/surface.ts";

/** The backup of this test is a base backup that the running server sends. */

let server: TemporaryPostgres;
let folder: string;
beforeAll(async () => {
  server = await startMachinePostgres();
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

it("restores a backup apart, audits it, and writes its age and the time of the restore as figures", async () => {
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
