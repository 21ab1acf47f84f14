import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { type Difference, differences, type Owner, type TermsSet } from "./pair-words.ts";
import { TERMS, TERMS_PREVIEW } from "./terms-words.ts";

type Preview = Answers["rates"]["preview"];

/** No preview is requested while the user types. */
const REST_MS = 300;

/** The effect of the terms in the form: old against new, one quote, and how many of the last settlements would have needed approval. */
export function TermsPreview({ owner, current, terms }: { owner: Owner; current: TermsSet | null; terms: TermsSet | null }) {
  const t = useTranslations(TERMS_PREVIEW);
  const fields = useTranslations(TERMS);
  const trpc = useTRPC();
  const asked = useRested(terms);
  const changed = terms === null ? [] : differences(current, terms, owner, fields);
  const preview = useQuery(
    trpc.rates.preview.queryOptions(
      { ...owner, terms: asked ?? EMPTY },
      { enabled: asked !== null, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const refusal = refusalOf(preview.error);
  return (
    <section className="terms-preview" aria-label={t.title} aria-busy={preview.isFetching}>
      <h3>{t.title}</h3>
      {terms === null && <p className="muted">{t.unfinished}</p>}
      {terms !== null && changed.length === 0 && <p className="muted">{t.nothing}</p>}
      {changed.length > 0 && <Differences list={changed} />}
      {refusal !== null && (
        <ul className="field-error" lang="en">
          {refusal.errors.length === 0 && <li>{refusal.detail}</li>}
          {refusal.errors.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              {(pointer ?? "").replace("/", "").replaceAll("_", " ")} {message}
            </li>
          ))}
        </ul>
      )}
      {changed.length > 0 && refusal === null && preview.data && <Effect preview={preview.data} owner={owner} />}
    </section>
  );
}

function Effect({ preview, owner }: { preview: Preview; owner: Owner }) {
  const t = useTranslations(TERMS_PREVIEW);
  const { current, proposed, approvals, two_approvals: two, settlements } = preview;
  const net = (quote: typeof proposed) =>
    quote.destination_amount === null ? t.none(quote.obstacle) : t.format.grouped(quote.destination_amount);
  return (
    <>
      <p>
        <Trans
          sentence={t.quote(`${t.format.grouped(preview.source_amount, 0)} ${owner.source_currency}`, current ? `${net(current)} → ` : "")}
          after={
            <>
              <strong translate="no">{net(proposed)}</strong> <Data>{owner.destination_currency}</Data>
            </>
          }
        />
      </p>
      {settlements === 0 ? (
        <p className="muted">{t.nonePriced}</p>
      ) : (
        <p>
          <Trans
            sentence={t.approvals(settlements, approvals.current, two.proposed > 0 || two.current > 0 ? two : null)}
            count={<strong>{approvals.proposed}</strong>}
          />
        </p>
      )}
    </>
  );
}

export function Differences({ list }: { list: readonly Difference[] }) {
  return (
    <dl className="differences">
      {list.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {before !== null && (
              <>
                <s translate="no">{before}</s> →{" "}
              </>
            )}
            <strong translate="no">{after}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The value once it has stayed the same for a moment. */
function useRested(terms: TermsSet | null): TermsSet | null {
  const text = terms === null ? "" : JSON.stringify(terms);
  const [rested, setRested] = useState({ text, terms });
  useEffect(() => {
    const timer = setTimeout(() => setRested((before) => (before.text === text ? before : { text, terms })), REST_MS);
    return () => clearTimeout(timer);
  }, [text, terms]);
  return terms === null ? null : rested.terms;
}

/** Never sent: the query is disabled while there is nothing to ask. */
const EMPTY: TermsSet = {
  enabled: false,
  spread_bps: 0,
  platform_fee: "0",
  minimum_source_amount: "1",
  maximum_source_amount: "1",
  two_approvals_above_amount: null,
  batch_maximum_source_amount: null,
  quote_lifetime_seconds: 1,
  approved_lifetime_seconds: 1,
};
