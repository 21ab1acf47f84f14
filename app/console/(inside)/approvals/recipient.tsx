import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { PastAnswer } from "./answers.ts";
import { RECIPIENT } from "./words.ts";

type Props = {
  partner: string;
  merchant: string;
  wallet: string;
  chain: string;
  /** Undefined while it is read. */
  past: PastAnswer | undefined;
};

/** The recipient of a settlement: partner, merchant, the full wallet address, and whether it is known. It comes before any amount. */
export function Recipient({ partner, merchant, wallet, chain, past }: Props) {
  const t = useTranslations(RECIPIENT);
  return (
    <section className="recipient" aria-label={t.recipient}>
      <h2 id="review-heading" tabIndex={-1} className="recipient-who">
        <Data>{partner}</Data> <span aria-hidden>→</span> <Data>{merchant}</Data>
      </h2>
      <p className="recipient-wallet">
        <WalletGroups address={wallet} /> <CopyButton text={wallet} label={t.copyWallet} />
      </p>
      <p className="small recipient-known">
        <span className="muted" translate="no">
          {chain}
        </span>
        {past && (
          <>
            <span data-new={past.wallet_executed === 0 || undefined}>{t.known(past.wallet_uses, past.wallet_executed)}</span>
            {past.earlier_wallets > 0 && <span>{t.earlierWallets(past.earlier_wallets)}</span>}
          </>
        )}
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
