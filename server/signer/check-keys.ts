import type { SigningKeys } from "#server/ports.ts";
import type { SignerPowers } from "./desk.ts";

/**
 * Logs for each treasury wallet's key whether it is available and belongs to the wallet, before the first payment needs it. It delays and
 * changes nothing: a payment that cannot be signed waits, and says so.
 */
export async function checkKeys({ evm, log }: Pick<SignerPowers, "evm" | "log">, keys: SigningKeys): Promise<void> {
  const all = evm.list().flatMap(({ chain }) => keys.of(chain).map((key) => ({ chain, key })));
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
