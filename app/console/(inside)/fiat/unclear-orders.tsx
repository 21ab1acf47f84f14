import { useQuery } from "@tanstack/react-query";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../_trpc/client.tsx";

const LOOK_EVERY_MS = 15_000;

/** Orders of which nobody can tell whether the provider has them, or that were paid too late: each waits for an operator. Nothing is shown where there is none. */
export function UnclearOrders() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.fiat.ambiguous.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS }));
  if (!data || data.length === 0) return null;
  return (
    <Section title="For an operator: unclear, or paid late">
      <ul className="witnesses">
        {data.map(({ id, kind, partner, amount, currency, since, reason }) => (
          <li key={id}>
            <Id
              value={id}
              what={kind === "withdrawal" ? "withdrawal" : "top-up"}
              href={`/console/fiat/${kind === "withdrawal" ? "withdrawals" : "topups"}/${id}`}
            />{" "}
            of {partner}, <Money amount={amount} currency={currency} />, <Time at={since} />. {reason}
          </li>
        ))}
      </ul>
    </Section>
  );
}
