import { Glance } from "#app/console/_components/controls/glance.tsx";
import { None } from "./table.tsx";

/** A sum per currency, as a measurement: in a table one line each, in the order of their codes. Currencies are never added up. */
export function Sums({ of }: { of: readonly { currency: string; amount: string }[] }) {
  if (of.length === 0) return <None />;
  return (
    <span className="volumes">
      {of
        .toSorted((left, right) => left.currency.localeCompare(right.currency))
        .map((sum) => (
          <Glance key={sum.currency} {...sum} />
        ))}
    </span>
  );
}
