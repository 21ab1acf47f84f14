import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Hint } from "./answers.ts";
import { RiskChips } from "./risk.tsx";
import { RECIPIENT } from "./words.ts";

type Props = {
  /** Undefined while it is read. */
  partner: string | undefined;
  merchant: string;
  wallet: string;
  chain: string;
  hints: readonly Hint[] | undefined;
};

/** The recipient of a settlement: partner, merchant, the full wallet address, and every risk hint. It comes before any price. */
export function Recipient({ partner, merchant, wallet, chain, hints }: Props) {
  const t = useTranslations(RECIPIENT);
  return (
    <section className="recipient" aria-label={t.recipient}>
      <p className="recipient-who">
        <Data>{partner ?? "…"}</Data> <span aria-hidden>→</span> <Data>{merchant}</Data>
      </p>
      <p className="recipient-wallet">
        <WalletGroups address={wallet} /> <CopyButton text={wallet} label={t.copyWallet} />
        <span className="muted small" translate="no">
          {chain}
        </span>
      </p>
      <p className="chips">
        {hints === undefined && <span className="muted small">{t.checkingHints}</span>}
        {hints?.length === 0 && <span className="muted small">{t.noHints}</span>}
        {hints && <RiskChips hints={hints} />}
      </p>
    </section>
  );
}

const GROUP_LENGTH = 4;

/**
 * An address in groups of four, with the first and last group emphasised: the parts that people compare. Read aloud and copied as one text.
 */
export function WalletGroups({ address }: { address: string }) {
  const digits = address.replace(/^0x/, "");
  const starts = Array.from({ length: Math.ceil(digits.length / GROUP_LENGTH) }, (_, place) => place * GROUP_LENGTH);
  return (
    <>
      <span className="wallet-groups" aria-hidden translate="no">
        {starts.map((start) => (
          <span key={start} data-edge={start === 0 || start + GROUP_LENGTH >= digits.length || undefined}>
            {start === 0 && address.startsWith("0x") && "0x"}
            {digits.slice(start, start + GROUP_LENGTH)}
          </span>
        ))}
      </span>
      <span className="sr-only" translate="no">
        {address}
      </span>
    </>
  );
}
