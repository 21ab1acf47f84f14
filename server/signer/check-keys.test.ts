import { execFileSync } from "node:child_process";
import { publicKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { migrate } from "#db/migrate.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { makeSoftHsm, type SoftHsm } from "#testing/softhsm.ts";
import { forgetWorkers, killWorkers, startSigner } from "#testing/worker-process.ts";

const STRANGER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

let hsm: SoftHsm;
let database: TestDatabase;
let address: string;
beforeAll(async () => {
  hsm = makeSoftHsm();
  address = publicKeyToAddress(`0x${hsm.makeKeys(["hot-1"])[0]}`);
  database = await createTestDatabase();
  await migrate(database.url);
});
afterEach(() => killWorkers());
afterAll(async () => {
  forgetWorkers();
  await database.close();
  hsm.remove();
});

/** A real signer with two wallets in one token, the second of which says a stranger's address. */
function startWithToken() {
  const wallet = {
    signer: "pkcs11",
    library: hsm.library,
    token: hsm.token,
    key: "hot-1",
    pin_env: "TREASURY_PIN",
    library_env: Object.keys(hsm.env),
  };
  const chain = {
    chain: "eip155:31337",
    name: "Test chain",
    rpc_urls: ["http://127.0.0.1:9"],
    confirmations: 3,
    native: { currency: "ETH", decimals: 18 },
    tokens: [],
    wallets: [
      { ...wallet, address },
      { ...wallet, address: STRANGER },
    ],
  };
  return startSigner(database.url, { CHAINS: JSON.stringify([chain]), TREASURY_PIN: hsm.pin, ...hsm.env });
}

/** The token processes that this process has started. */
function childrenOf(pid: number | undefined): string[] {
  const listed = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="]).toString().split("\n");
  return listed.filter((line) => line.includes("token-process") && line.trim().split(/\s+/)[1] === String(pid));
}

it("the signer says at its start which keys are there and are the wallet's; its token's process ends with it, even when it is killed", async () => {
  const signer = startWithToken();
  await expect.poll(() => signer.output(), { timeout: 60_000 }).toContain("a treasury wallet's signer is ready");
  await expect.poll(() => signer.output(), { timeout: 60_000 }).toContain("a treasury wallet's signer is not ready: its payments wait");
  expect(signer.output()).toContain(`the key of ${address}, not of the configured wallet ${STRANGER}`);
  expect(signer.output()).not.toContain(hsm.pin);
  const [child] = childrenOf(signer.child.pid);
  expect(child).toBeDefined();
  // Nor does anybody who lists the machine's processes see the PIN.
  expect(child).not.toContain(hsm.pin);
  signer.child.kill("SIGKILL");
  await signer.exit;
  const pid = Number(child?.trim().split(/\s+/)[0]);
  await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
