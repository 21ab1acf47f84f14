import type { LapsingKeys, SigningKeys } from "#server/ports.ts";
import type { SignerPowers } from "./desk.ts";

type Keys = { evm: SigningKeys; lapsing: LapsingKeys };

/**
 * Logs for each treasury wallet's key whether it is available and belongs to the wallet, before the first payment needs it. It delays and
 * changes nothing: a payment that cannot be signed waits, and says so.
 */
export async function checkKeys({ evm, lapsing, log }: Pick<SignerPowers, "evm" | "lapsing" | "log">, keys: Keys): Promise<void> {
  const all = [
    ...evm.list().flatMap(({ chain }) => keys.evm.of(chain).map((key) => ({ chain, key }))),
    ...lapsing.list().flatMap(({ chain }) => keys.lapsing.of(chain).map((key) => ({ chain, key }))),
  ];
  await Promise.all(
    all.map(async ({ chain, key }) => {
      try {
        const wallet = await key.address();
        await key.check?.();
        log.info({ chain, wallet, signer: key.kind }, "a treasury wallet's signer is ready");
      } catch (error) {
        log.error({ chain, signer: key.kind, err: error }, "a treasury wallet's signer is not ready: its payments wait");
      }
    }),
  );
}
