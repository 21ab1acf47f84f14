import type { AllSigners } from "#domain/lapsing-signer.ts";

/** The same signers, which do nothing before `judge` has found the database fit. What it throws, the caller gets; it is asked again at the next call. */
export function onceFit(signers: AllSigners, judge: () => Promise<void>): AllSigners {
  let fit: Promise<void> | null = null;
  const isFit = async () => {
    fit ??= judge();
    await fit.catch((error: unknown) => {
      fit = null;
      throw error;
    });
  };
  const after =
    <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      await isFit();
      return await call(...args);
    };
  const { of, sign, admit, readJournal, signSwap, lapsing } = signers;
  const rest = { of: lapsing.of, sign: after(lapsing.sign), admit: after(lapsing.admit), readJournal: after(lapsing.readJournal) };
  return { of, sign: after(sign), admit: after(admit), readJournal: after(readJournal), signSwap: after(signSwap), lapsing: rest };
}
