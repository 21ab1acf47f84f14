import { exactNumber, instant } from "#contract/primitives.ts";
import { advanceClockOperation, readClockOperation, setRateOperation } from "#contract/sandbox.ts";
import { advanceClock, readClock, type SandboxClock } from "#server/services/maintenance/clock.ts";
import { setFixedRate } from "#server/services/rates/set-fixed-rate.ts";
import { type Binding, bind } from "./bind.ts";

/** What moves the sandbox: its clock and its rates. */

export const SANDBOX: readonly Binding[] = [
  bind(readClockOperation, async (ctx) => ({ body: renderClock(await readClock(ctx)) })),
  bind(advanceClockOperation, async (ctx, { by, body }) => ({
    body: renderClock(await advanceClock(ctx, { by, advanceSeconds: body.advance_seconds })),
  })),
  bind(setRateOperation, async (ctx, { by, body }) => {
    const pair = { sourceCurrency: body.source_currency, destinationCurrency: body.destination_currency };
    const { rate, asOf } = await setFixedRate(ctx, { by, ...pair, rate: body.rate });
    return {
      body: {
        source_currency: pair.sourceCurrency,
        destination_currency: pair.destinationCurrency,
        rate: rate === null ? null : exactNumber(rate),
        as_of: instant(asOf),
      },
    };
  }),
];

function renderClock({ now, offsetSeconds }: SandboxClock) {
  return { now: instant(now), offset_seconds: offsetSeconds };
}
