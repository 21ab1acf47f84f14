import type { Metadata } from "next";
import { Codes, Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";

const page = pageAt("/docs/networks");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Networks() {
  return (
    <Shell current={page.path} title={page.title} lead="The same calls on every network. Addresses, hashes and waiting times differ.">
      <p>
        <code>GET /api/v1/pairs</code> lists the networks that you may pay on, each by its CAIP-2 id in <code>chain</code>. An operator
        switches on each network, so yours may be fewer than these.
      </p>
      <Section id="forms" title="Addresses and transaction hashes">
        <Table
          caption="Addresses and hashes"
          columns={["Network", "chain", "wallet_address", "tx_hash"]}
          rows={[
            ["EVM", <code key="c">eip155:1</code>, "0x and 40 hex digits. Mixed case must match EIP-55", "0x and 64 hex digits"],
            ["Tempo", <code key="c">eip155:4217</code>, "As on EVM", "0x and 64 hex digits"],
            [
              "Solana",
              <code key="c">solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp</code>,
              "Base 58 of 32 bytes, a wallet with a key. Never a token account",
              "Base 58, 86 to 88 characters: the signature",
            ],
            [
              "Tron",
              <code key="c">tron:0x2b6653dc</code>,
              "Base 58 with its checksum, beginning with T. Not the hex form",
              "64 hex digits without 0x: the transaction id",
            ],
          ]}
        />
        <p>
          Store both as text of up to 128 characters. Compare Solana’s and Tron’s texts letter by letter: upper and lower case differ. The
          service returns an address as you sent it.
        </p>
        <p>
          An address that cannot be paid is refused with <Codes codes={["invalid_wallet_address"]} />. A Solana address has no checksum, so
          the service also asks the chain: a mint, a program or a token account is refused at create. While the token’s issuer has frozen
          the recipient’s account, confirm is refused, too. On Tron and Tempo, create and confirm refuse an address that the token’s issuer
          has blocked. The quote stays valid until it expires.
        </p>
        <Note>
          Ask the merchant for the network and the address together. The same address is valid on every EVM network and on Tempo, and a
          payment on the wrong one does not come back.
        </Note>
      </Section>
      <Section id="finality" title="How long until executed">
        <Table
          caption="Finality"
          columns={["Network", "Final when", "Usual time"]}
          rows={[
            ["EVM", "The operator’s number of blocks is on top, or the network’s finalized block includes it", "Seconds to 15 minutes"],
            ["Tempo", "The operator’s number of blocks is on top", "Seconds"],
            ["Solana", "The block is finalized", "About 15 seconds"],
            ["Tron", "The block is solidified", "About a minute"],
          ]}
        />
        <p>
          The status is <code>executed</code> only after that, and <code>tx_hash</code> appears with it. On Solana, Tron and Tempo a signed
          payment lapses if no block takes it in time. The service then signs it again, under another hash, once the chain proves that the
          first one can never pay. So <code>processing</code> may last some minutes longer. Nothing is paid twice.
        </p>
      </Section>
      <Section id="new-accounts" title="New accounts">
        <p>
          A wallet need not have held the token before. On Solana the payment opens the wallet’s token account. On Tron the first transfer
          to a wallet takes twice the energy. The operator pays for both: <code>destination_amount</code> arrives in full.{" "}
          <code>GET /api/v1/rates/preview</code> with <code>wallet_address</code> returns <code>network_cost</code>, with{" "}
          <code>new_holder</code>.
        </p>
      </Section>
      <Section id="memo" title="What the recipient can read">
        <p>
          Payments on Solana, Tron and Tempo carry your <code>external_tx_id</code> as a memo. So the merchant can match a payment with your
          reference, without asking you or us.
        </p>
        <Table
          caption="Memos"
          columns={["Network", "Where", "Text"]}
          rows={[
            ["Solana", "The memo instruction before the transfer", "external_tx_id, a space, tx_id"],
            ["Tron", "The data of the transaction", "external_tx_id, a space, tx_id"],
            [
              "Tempo",
              "The memo of the event TransferWithMemo",
              "external_tx_id in at most 32 bytes of UTF-8. A longer one: the first 32 hex digits of its SHA-256",
            ],
          ]}
        />
        <p>
          <strong>Everybody can read a memo, for ever.</strong> Put no personal data into <code>external_tx_id</code>. An operator can
          switch to <code>tx_id</code> alone. Payments on EVM have no memo.
        </p>
      </Section>
    </Shell>
  );
}
