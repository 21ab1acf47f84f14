import type { ReactNode } from "react";
import { Id, KeyValues, Money, Time } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { Served, useTranslations, type WithShared } from "../../../_words/words.ts";
import { CHAIN_PART } from "./payment-words.ts";
import { SignAboveCap } from "./sign-above-cap.tsx";
import type { Story } from "./story.ts";

type Translations = WithShared<typeof CHAIN_PART>;

type Payment = NonNullable<Story["payment"]>;

const stagesOf = (t: Translations) => [t.queued, t.signing, t.broadcast, t.mined, t.confirming, t.executed] as const;
/** The stage of a payment. */
const AT: Readonly<Record<string, number>> = { queued: 0, packed: 1, signed: 1, broadcast: 2, mined: 4, executed: 5 };

/** A chain without a block for this long has probably stopped. */
const QUIET_SECONDS = 60;

type ChainPartProps = {
  payment: Payment;
  chain: string;
  /** Already shown elsewhere on the page. */
  failure?: string | null;
  /** Left out: the viewer may not sign that it goes above a cap. */
  onSigned?: (() => void) | undefined;
};

/** The payment's progress, and every hash that it ever had. */
export function ChainPart({ payment, chain, failure = null, onSigned }: ChainPartProps) {
  const t = useTranslations(CHAIN_PART);
  const last = payment.attempts.at(-1);
  return (
    <>
      <Stages payment={payment} />
      {payment.failure_reason !== null && payment.failure_reason !== failure && (
        <Note kind="danger">
          <Served>{payment.failure_reason}</Served>
        </Note>
      )}
      {payment.waiting_reason && (
        <Note kind="warning">
          <Served>{payment.waiting_reason}</Served>
        </Note>
      )}
      {payment.signer_cap !== null && onSigned && (
        <SignAboveCap transferId={payment.transfer_id} period={payment.signer_cap} onSigned={onSigned} />
      )}
      {isUnderWay(payment) && payment.head_age_seconds !== null && payment.head_age_seconds >= QUIET_SECONDS && (
        <Note kind="warning">{t.noNewBlock(t.format.span(payment.head_age_seconds * 1_000))}</Note>
      )}
      {payment.review_reason && <Note kind="danger">{t.underReview(payment.review_reason)}</Note>}
      <KeyValues
        items={[
          payment.tx_hash !== null && { key: t.transaction, value: <Hash payment={payment} hash={payment.tx_hash} /> },
          payment.from !== null && { key: t.from, value: <Id value={payment.from} what={t.senderNoun} full /> },
          { key: t.to, value: <Id value={payment.to} what={t.recipient} full /> },
          payment.block_number !== null && { key: t.block, value: t.format.count(payment.block_number) },
          payment.nonce !== null && { key: t.nonce, value: String(payment.nonce) },
          payment.packed_with !== null && { key: t.transactionOf, value: t.packedWith(payment.packed_with) },
          payment.network_fee !== null && {
            key: payment.packed_with === null ? t.networkFee : t.networkFeeShare,
            value: <Money {...payment.network_fee} />,
          },
          payment.network_fee === null && last !== undefined && { key: t.maximumFee, value: feeOf(last, t) },
          ...usesOf(last, t),
          { key: t.chain, value: chain },
          { key: t.lastUpdate, value: <Time at={payment.updated_at} form="absolute" /> },
        ]}
      />
      {payment.attempts.length > 1 && <Attempts payment={payment} />}
    </>
  );
}

/** What the newest attempt used of what the chain meters, also one that failed. */
function usesOf(attempt: Payment["attempts"][number] | undefined, t: Translations): { key: string; value: ReactNode }[] {
  const { energy, staked_energy: staked = 0, bandwidth, gas } = attempt?.used ?? {};
  const count = (used: number) => t.format.count(used);
  return [
    ...(energy === undefined ? [] : [{ key: t.energy, value: staked > 0 ? t.fromStake(count(energy), count(staked)) : count(energy) }]),
    ...(bandwidth === undefined ? [] : [{ key: t.bandwidth, value: bandwidth > 0 ? count(bandwidth) : t.boughtBandwidth }]),
    ...(gas === undefined ? [] : [{ key: t.gas, value: count(gas) }]),
  ];
}

function isUnderWay({ state }: Payment): boolean {
  return state === "signed" || state === "broadcast" || state === "mined";
}

function Hash({ payment, hash }: { payment: Payment; hash: string }) {
  const t = useTranslations(CHAIN_PART);
  return (
    <>
      <Id value={hash} what={t.transactionHash} full />
      {payment.explorer_url !== null && (
        <a href={payment.explorer_url} target="_blank" rel="noreferrer">
          {t.viewExplorer}
        </a>
      )}
    </>
  );
}

/** Gwei per unit of gas times units of gas, in whole wei, so that nothing is rounded. */
function feeOf({ max_fee_per_gas, gas_limit, fee_at_most }: Payment["attempts"][number], t: Translations): ReactNode {
  if (fee_at_most !== null) return <Money {...fee_at_most} />;
  if (max_fee_per_gas === null || gas_limit === null) return null;
  const digits = max_fee_per_gas.padStart(10, "0");
  const gwei = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, "");
  return t.gasPriceTimesLimit(gwei, t.format.count(Number(gas_limit)));
}

function Stages({ payment }: { payment: Payment }) {
  const t = useTranslations(CHAIN_PART);
  const isOver = payment.state === "failed";
  const at = isOver ? reachedBefore(payment) : AT[payment.state];
  if (at === undefined) return null;
  const needed = payment.confirmations_needed;
  const depth = needed === null ? `${payment.confirmations}` : `${Math.min(payment.confirmations, needed)}/${needed}`;
  const words = stagesOf(t).map((word) => (word === t.confirming && at >= 4 ? `${word} ${depth}` : word));
  const shown = isOver ? [...words.slice(0, at + 1), t.failed] : words;
  const current = isOver ? shown.length - 1 : at;
  return (
    <>
      <div
        className="sr-only"
        role="progressbar"
        aria-label={t.payment}
        aria-valuemin={0}
        aria-valuemax={shown.length - 1}
        aria-valuenow={current}
        aria-valuetext={shown[current]}
      />
      <ol className="stages" aria-label={t.stagesLabel}>
        {shown.map((word, index) => (
          <li
            key={word}
            className="stage"
            data-reached={index <= current || undefined}
            data-failed={(isOver && index === current) || undefined}
            aria-current={index === current ? "step" : undefined}
          >
            {word}
          </li>
        ))}
      </ol>
      {payment.state === "mined" && needed !== null && (
        <progress className="confirmations" max={needed} value={Math.min(payment.confirmations, needed)} aria-label={t.confirmations} />
      )}
    </>
  );
}

function reachedBefore({ block_number, attempts }: Payment): number {
  if (block_number !== null) return 3;
  if (attempts.some(({ broadcast_at }) => broadcast_at !== null)) return 2;
  return attempts.length > 0 ? 1 : 0;
}

function Attempts({ payment }: { payment: Payment }) {
  const t = useTranslations(CHAIN_PART);
  return (
    <>
      <h3>{t.everyAttempt}</h3>
      <ol className="attempts">
        {payment.attempts.map(({ hash, number, kind, broadcast_at, signed_at, used }) => (
          <li key={hash}>
            <span className="muted">
              {number}. {kind === "cancellation" ? t.cancellation : number === 1 ? t.firstAttempt : t.feeRaised},{" "}
              <Time at={broadcast_at ?? signed_at} form="absolute" />
              {payment.tx_hash !== null && (hash === payment.tx_hash ? t.inChainSuffix : t.replacedSuffix)}
              {used?.energy !== undefined && t.energySuffix(t.format.count(used.energy))}
            </span>
            <Id value={hash} what={t.hash} full />
          </li>
        ))}
      </ol>
    </>
  );
}
