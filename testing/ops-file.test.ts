import { expect, it } from "vitest";
import { opsFile } from "./ops-file.ts";

const settingsOf = (text: string) =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [, name, value] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );

it("encrypts backups by default, with a passphrase that is not in the file", () => {
  const settings = settingsOf(opsFile("pgbackrest.conf"));
  expect(settings.get("repo1-cipher-type")).toBe("aes-256-cbc");
  expect([...settings.keys()].filter((name) => name.includes("cipher-pass"))).toEqual([]);
});

it("has no passphrase, password or secret in any file for the database", () => {
  for (const name of ["archiving.conf", "haproxy.cfg", "patroni.yml", "pgbackrest.conf", "pgbouncer.ini"])
    expect(opsFile(name), name).not.toMatch(/^\s*[\w-]*(?:pass|passphrase|password|secret)\s*[:=]\s*\S/im);
});
