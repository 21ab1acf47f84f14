import type { Uses } from "#server/context.ts";

/**
 * Logs for each treasury wallet's key whether it is available and belongs to the wallet, before the first payment needs it. It delays and
 * changes nothing: a payment that cannot be signed waits, and says so.
 */
export async function checkSigners({ signers, evm, log }: Uses<"signers" | "evm" | "log">): Promise<void> {
  const all = evm.list().flatMap(({ chain }) => signers.of(chain).map((signer) => ({ chain, signer })));
  await Promise.all(
    all.map(async ({ chain, signer }) => {
      try {
        const wallet = await signer.address();
        await signer.check?.();
        log.info({ chain, wallet, signer: signer.kind }, "a treasury wallet's signer is ready");
      } catch (error) {
        log.error({ chain, signer: signer.kind, err: error }, "a treasury wallet's signer is not ready: its payments wait");
      }
    }),
  );
}
