import { useQuery } from "@tanstack/react-query";
import { Id, KeyValues, Money } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Served, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Review } from "./answers.ts";
import { Decide } from "./decide.tsx";
import { REVIEW_PART } from "./order-words.ts";

type Translations = WithShared<typeof REVIEW_PART>;

/** `isOpen`: it still needs a decision. */
type Props = { transferId: string; isOpen: boolean; mayDecide: boolean; onDecided: () => void };

/** What the chain says right now about a payment under review, and which decisions are possible. */
export function ReviewPart({ transferId, isOpen, mayDecide, onDecided }: Props) {
  const t = useTranslations(REVIEW_PART);
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.treasury.review.queryOptions({ transfer_id: transferId }, { retry: false }));
  if (isPending) return <Skeleton rows={4} label={t.askingChain} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Note kind="danger">
        <Served>{data.review_reason}</Served>
      </Note>
      <KeyValues
        items={[
          { key: t.amount, value: <Money amount={data.amount} currency={data.currency} /> },
          { key: t.to, value: <Id value={data.recipient} what={t.recipient} full /> },
          { key: t.for, value: <Id value={data.owner_id} what={t.id} {...settlementLink(data)} /> },
          { key: t.wallet, value: <Id value={data.wallet} what={t.walletNoun} /> },
          data.nonce !== null && { key: t.nonce, value: t.format.count(data.nonce) },
        ]}
      />
      <h3>{t.chainState}</h3>
      <Witnesses review={data} />
      {!isOpen && (
        <p className="note" role="status">
          {t.closed}
        </p>
      )}
      {isOpen && (mayDecide ? <Decide review={data} onDecided={onDecided} /> : <p className="muted">{t.onlyAdminDecides}</p>)}
    </>
  );
}

function settlementLink({ purpose, owner_id }: Review) {
  return purpose === "settlement" ? { href: `/console/settlements/${owner_id}` } : {};
}

function reportOf(t: Translations, transactions: number, nonce: number | null): string {
  return nonce === null ? t.lapsingReport : t.nodeReport(t.format.count(transactions), nonce, transactions > nonce);
}

function Witnesses({ review }: { review: Review }) {
  const t = useTranslations(REVIEW_PART);
  return (
    <ul className="witnesses">
      {review.nodes.map(({ node, nonce, attempts, danger }) => (
        <li key={node}>
          {attempts === null ? (
            <Trans sentence={t.silent} node={<strong translate="no">{node}</strong>} />
          ) : (
            <>
              <Trans sentence={reportOf(t, nonce ?? 0, review.nonce)} node={<strong translate="no">{node}</strong>} />
              <ul>
                {attempts.map(({ hash, kind, seen }) => (
                  <li key={hash}>
                    <Trans sentence={t.ours[kind] ?? "{hash}"} hash={<Id value={hash} what={t.transactionHash} />} />{" "}
                    {t.observations[seen] ?? seen}
                  </li>
                ))}
              </ul>
              {danger !== null && <span className="muted">{t.notPaidImpossible(danger)}</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
