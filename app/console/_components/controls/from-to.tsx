import { Money } from "./values.tsx";

type Sum = { amount: string; currency: string };
/** What comes in and what goes out, as a page's heading. */
export function FromTo({ from, to }: { from: Sum; to: Sum }) {
  return (
    <span className="amounts">
      <Money {...from} size="large" />
      <span className="arrow" aria-hidden>
        →
      </span>
      <span className="sr-only">to</span>
      <Money {...to} size="large" />
    </span>
  );
}
