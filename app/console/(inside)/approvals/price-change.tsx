"use client";

import type { ApprovalPreviewWire } from "#server/contract/console/approval.ts";
import { Scroll } from "../../_components/page-header.tsx";
import { Time } from "../../_components/time.tsx";
import { grouped } from "../../_format/amount.ts";

/** The price that was quoted beside the price that approving gives: everything a decision rests on. */
export function PriceChange({ preview }: { preview: ApprovalPreviewWire }) {
  const { current, proposed, change, settlement } = preview;
  const unit = settlement.destination_currency;
  return (
    <Scroll label="Quoted price and price on approval">
      <table className="compare">
        <caption className="sr-only">The quoted price and the price on approval</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">What</span>
            </th>
            <th scope="col">Quoted</th>
            <th scope="col">On approval</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Rate</th>
            <td>{current.exchange_rate}</td>
            <td>{proposed?.exchange_rate ?? "–"}</td>
          </tr>
          <tr>
            <th scope="row">Gross</th>
            <td>{grouped(current.gross_amount)}</td>
            <td>{proposed ? grouped(proposed.gross_amount) : "–"}</td>
          </tr>
          <tr>
            <th scope="row">Fee</th>
            <td>− {grouped(current.platform_fee)}</td>
            <td>{proposed ? `− ${grouped(proposed.platform_fee)}` : "–"}</td>
          </tr>
          <tr data-total>
            <th scope="row">Net, {unit}</th>
            <td>{grouped(current.destination_amount)}</td>
            <td>{proposed ? grouped(proposed.destination_amount) : "–"}</td>
          </tr>
          {change && (
            <tr>
              <th scope="row">Difference</th>
              <td colSpan={2}>
                <span className="difference">
                  {grouped(change.net)} {unit} ({change.percent} %, {change.bps} bps)
                </span>
              </td>
            </tr>
          )}
          <tr>
            <th scope="row">Valid until</th>
            <td>
              <Time at={current.expires_at} form="absolute" />
            </td>
            <td>{proposed ? <Time at={proposed.expires_at} form="absolute" /> : "–"}</td>
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

/** Who hears of an approval; where nobody does, that the partner must ask. */
export function CallbackTarget({ url }: { url: string | null }) {
  if (url === null) {
    return (
      <p className="note" data-kind="warning">
        No callback address at creation: the partner has to poll to learn of the approval.
      </p>
    );
  }
  return (
    <p className="small">
      <span className="muted">Approval callback to</span> <span className="url">{url}</span>
    </p>
  );
}
