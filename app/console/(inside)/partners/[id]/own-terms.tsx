import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../_components/controls/link.tsx";
import { Empty, ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Data, useTranslations } from "../../../_words/words.ts";
import { differences, pairKey, pairName, setOf } from "../../rates/pair-words.ts";
import { Differences } from "../../rates/terms-preview.tsx";
import { TERMS } from "../../rates/terms-words.ts";
import { OWN_TERMS } from "./words.ts";

/** The pairs for which the partner has its own terms, and how they differ from the general ones. They are changed with the pair. */
export function OwnTerms({ partnerId, name }: { partnerId: string; name: string }) {
  const t = useTranslations(OWN_TERMS);
  const fields = useTranslations(TERMS);
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.rates.terms.queryOptions());
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const own = data.data.flatMap((pair) =>
    pair.overrides.filter(({ partner }) => partner.id === partnerId).map(({ terms }) => ({ pair, terms })),
  );
  if (own.length === 0) {
    return (
      <Empty title={t.none(name)} more={t.noneMore}>
        <Link href="/console/rates">{t.ratesAndPairs}</Link>
      </Empty>
    );
  }
  return (
    <ul className="versions">
      {own.map(({ pair, terms }) => (
        <li key={pairKey(pair)}>
          <div className="card-line">
            <strong>
              <Data>
                {pairName(pair)} <span className="muted">{pair.chain}</span>
              </Data>
            </strong>
            <Link href={`/console/rates?pair=${encodeURIComponent(pairKey(pair))}`}>
              {t.open}{" "}
              <span className="sr-only" translate="no">
                {pairName(pair)}
              </span>
            </Link>
          </div>
          <Differences list={differences(setOf(pair.terms), setOf(terms), pair, fields)} />
        </li>
      ))}
    </ul>
  );
}
