import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Empty, Skeleton, Trouble } from "../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { differences, pairKey, pairName, setOf } from "../../rates/pair-words.ts";
import { Differences } from "../../rates/terms-preview.tsx";

/** Where the partner is quoted under terms of its own, and how they differ from everybody's. They are changed with the pair. */
export function OwnTerms({ partnerId, name }: { partnerId: string; name: string }) {
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.rates.terms.queryOptions());
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  const own = data.data.flatMap((pair) =>
    pair.overrides.filter(({ partner }) => partner.id === partnerId).map(({ terms }) => ({ pair, terms })),
  );
  if (own.length === 0) {
    return (
      <Empty title={`${name} has no terms of its own`}>
        <p>It is quoted under the pairs' terms.</p>
        <Link href="/console/rates">Rates & pairs</Link>
      </Empty>
    );
  }
  return (
    <ul className="versions">
      {own.map(({ pair, terms }) => (
        <li key={pairKey(pair)}>
          <div className="card-line">
            <strong>
              {pairName(pair)} <span className="muted">{pair.chain}</span>
            </strong>
            <Link href={`/console/rates?pair=${encodeURIComponent(pairKey(pair))}`}>
              Open <span className="sr-only">{pairName(pair)}</span>
            </Link>
          </div>
          <Differences list={differences(setOf(pair.terms), setOf(terms), pair)} />
        </li>
      ))}
    </ul>
  );
}
