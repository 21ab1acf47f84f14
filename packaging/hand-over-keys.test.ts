import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { handOverKeys } from "./hand-over-keys.ts";

let folder: string;
const CHAIN = {
  chain: "eip155:1",
  wallets: [
    { signer: "keystore", file: "/keys/treasury.json", password_env: "TREASURY_PASSWORD" },
    { signer: "pkcs11", pin_env: "TOKEN_PIN", library_env: ["HSM_CONF"] },
    { signer: "aws-kms", key: "alias/treasury" },
  ],
};

beforeEach(() => {
  folder = mkdtempSync("/tmp/settlement-hand-over-");
  for (const role of ["worker", "signer"]) mkdirSync(join(folder, "secrets", role), { recursive: true });
  write("chains.json", JSON.stringify([CHAIN]));
  write("service.env", `MODE=live\nCHAINS_FILE=${join(folder, "chains.json")}\nVAULT_KEYS=one\n`);
  write("worker.env", "# of 1.1.0\nWORKER_DATABASE_URL=w\nTREASURY_PASSWORD=the password\nHSM_CONF=/etc/hsm\nAWS_REGION=eu\nSMTP_URL=s\n");
  write("signer.env", "# the signer\nSIGNER_DATABASE_URL=s\n");
  write("secrets/worker/TOKEN_PIN", "4938\n");
  write("secrets/worker/AUDIT_KEY", "audit\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const layout = () => [
  read("worker.env"),
  read("signer.env"),
  readdirSync(join(folder, "secrets/worker")),
  readdirSync(join(folder, "secrets/signer")),
];

const DONE = [
  "# of 1.1.0\nWORKER_DATABASE_URL=w\nSMTP_URL=s\n",
  "# the signer\nSIGNER_DATABASE_URL=s\n\nTREASURY_PASSWORD=the password\nHSM_CONF=/etc/hsm\nAWS_REGION=eu\n",
  ["AUDIT_KEY"],
  ["TOKEN_PIN"],
];

it("gives the signer what opens keys, whatever 1.1.0 had it in, and leaves the workers all else; repeated it does nothing", () => {
  expect(handOverKeys(folder)).toEqual(["AWS_REGION", "HSM_CONF", "TOKEN_PIN", "TREASURY_PASSWORD"]);
  expect(layout()).toEqual(DONE);
  for (const name of ["worker.env", "signer.env"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(handOverKeys(folder)).toEqual([]);
  expect(layout()).toEqual(DONE);
});

it("goes on where it was interrupted, and loses nothing where the signer has another value", () => {
  const worker = read("worker.env");
  handOverKeys(folder);
  // Ended after the signer had it.
  write("worker.env", worker);
  handOverKeys(folder);
  expect(layout()).toEqual(DONE);
  write("worker.env", worker.replace("the password", "another"));
  expect(() => handOverKeys(folder)).toThrow("TREASURY_PASSWORD has one value in worker.env and another in signer.env");
  expect(read("worker.env")).toContain("another");
  expect(existsSync(join(folder, "worker.env.new"))).toBe(false);
});
