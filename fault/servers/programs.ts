import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { withConnection } from "#sandbox/postgres/server.ts";
import { findMachinePostgres } from "#testing/machine-postgres.ts";

/** A program that an experiment needs, and its Debian package. */
export type Program = { name: string; from: string };

export const SERVER: Program = { name: "postgres", from: "postgresql" };

function find({ name }: Program): string | null {
  if (name === SERVER.name) return findMachinePostgres();
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

export function pathOf(program: Program): string {
  const path = find(program);
  if (path === null) throw new Error(`${program.name} is not installed: \`apt-get install ${program.from}\`.`);
  return path;
}

/** The sentence about missing programs; null: none is missing. */
export function lackOf(programs: readonly Program[]): string | null {
  const missing = programs.filter((program) => find(program) === null).map(({ from }) => from);
  return missing.length === 0 ? null : `\`apt-get install --no-install-recommends ${missing.join(" ")}\` first.`;
}

/** Whether what answers there takes writes. */
export async function isPrimary(url: string): Promise<boolean> {
  return await withConnection(url, async (sql) => {
    const [row] = await sql<{ recovers: boolean }[]>`select pg_is_in_recovery() as recovers`;
    return row?.recovers === false;
  });
}
