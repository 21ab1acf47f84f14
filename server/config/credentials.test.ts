import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assertSignsNothing, readConfig } from "#server/config.ts";
import { LIVE } from "#testing/settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-credentials-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The live settings, some of them as files from systemd. */
function handedOver(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string | undefined>> = LIVE) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return { ...env, CREDENTIALS_DIRECTORY: folder };
}

describe("settings that systemd hands over as files", () => {
  it("count as if they were in the environment, by their own names or those of their folder", () => {
    const { VAULT_KEYS, DATABASE_URL, ...rest } = LIVE;
    const credentials = handedOver({ shared_VAULT_KEYS: `${VAULT_KEYS}\n`, DATABASE_URL }, rest);
    const { vaultKeys, databaseUrl } = readConfig(credentials);
    expect({ vaultKeys, databaseUrl }).toEqual({ vaultKeys: readConfig(LIVE).vaultKeys, databaseUrl: DATABASE_URL });
  });

  it("are refused where they are set in the environment as well", () => {
    expect(() => readConfig(handedOver({ shared_VAULT_KEYS: "k2:another" }))).toThrow("VAULT_KEYS is set twice");
    expect(() => readConfig(handedOver({ own_BRAND: "One", shared_BRAND: "Two" }))).toThrow("BRAND is set twice");
  });

  it("make a web process refuse to start that is handed what only the worker may know", () => {
    expect(() => assertSignsNothing(handedOver({ own_AUDIT_KEY: LIVE.AUDIT_KEY }, { ...LIVE, AUDIT_KEY: undefined }))).toThrow(
      "AUDIT_KEY is set: a web process signs nothing",
    );
  });

  it("are left alone where their names are no settings'", () => {
    expect(readConfig(handedOver({ "token.pem": "x", lower: "y" })).mode).toBe("live");
  });
});
