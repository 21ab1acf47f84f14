import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmForm } from "../../_components/dialogs/confirm-dialog.tsx";
import { named } from "../../_components/lists/filters.ts";
import { Empty, ErrorState } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { History } from "./history.tsx";
import { differences, type Owner, type Pair, pairName, setOf, type TermsShown } from "./pair-words.ts";
import { TermsForm } from "./terms-form.tsx";
import { Differences } from "./terms-preview.tsx";
import { OVERRIDES, TERMS } from "./terms-words.ts";

type OverridesProps = { pair: Pair; mayEdit: boolean };

/** Partners with their own terms, which replace all of the pair's terms. */
export function Overrides({ pair, mayEdit }: OverridesProps) {
  const t = useTranslations(OVERRIDES);
  const fields = useTranslations(TERMS);
  const [edited, setEdited] = useState<string | null>(null);
  const own = pair.overrides.find(({ partner }) => partner.id === edited);
  if (edited !== null) {
    return (
      <OneOverride
        key={edited}
        pair={pair}
        partnerId={edited}
        current={own?.terms ?? null}
        mayEdit={mayEdit}
        onBack={() => setEdited(null)}
      />
    );
  }
  return (
    <div className="form">
      {pair.overrides.length === 0 && <Empty title={t.none} more={t.noneMore} />}
      <ul className="versions">
        {pair.overrides.map(({ partner, terms }) => (
          <li key={partner.id}>
            <div className="card-line">
              <strong translate="no">{partner.name}</strong>
              <Button onClick={() => setEdited(partner.id)}>
                {mayEdit ? t.change : t.viewTerms} <span className="sr-only">{t.terms(partner.name)}</span>
              </Button>
            </div>
            <Differences list={differences(setOf(pair.terms), setOf(terms), pair, fields)} />
          </li>
        ))}
      </ul>
      {mayEdit && <AddOverride pair={pair} onChoose={setEdited} />}
    </div>
  );
}

function AddOverride({ pair, onChoose }: { pair: Pair; onChoose: (partnerId: string) => void }) {
  const t = useTranslations(OVERRIDES);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const others = (data?.partners ?? []).filter(({ id }) => pair.overrides.every(({ partner }) => partner.id !== id));
  return (
    <Select
      label={t.add}
      hint={t.addHint}
      value=""
      choices={[{ value: "", label: t.choosePartner }, ...named(others)]}
      onChange={({ target }) => target.value !== "" && onChoose(target.value)}
    />
  );
}

type OneProps = OverridesProps & { partnerId: string; current: TermsShown | null; onBack: () => void };

function OneOverride({ pair, partnerId, current, mayEdit, onBack }: OneProps) {
  const t = useTranslations(OVERRIDES);
  const trpc = useTRPC();
  const owner = {
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    partner_id: partnerId,
  };
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  // Version numbers continue after an override was withdrawn.
  const history = useQuery(trpc.rates.history.queryOptions(owner));
  if (!history.data) return history.error ? <ErrorState error={history.error} onRetry={() => void history.refetch()} /> : null;
  const newest = history.data[0]?.terms ?? null;
  return (
    <div className="form">
      <div className="card-line">
        <h3 translate="no">{choices?.partners.find(({ id }) => id === partnerId)?.name ?? t.onePartner}</h3>
        <Button look="quiet" onClick={onBack}>
          {t.backAllPartners}
        </Button>
      </div>
      <TermsForm
        owner={owner}
        current={newest}
        initial={setOf(current ?? pair.terms)}
        initialReason=""
        mayEdit={mayEdit}
        onSaved={() => {}}
      />
      {mayEdit && current !== null && <Withdraw owner={owner} version={current.version} onDone={onBack} />}
      {newest !== null && <History owner={owner} />}
    </div>
  );
}

type WithdrawProps = { owner: Owner & { partner_id: string }; version: number; onDone: () => void };

function Withdraw({ owner, version, onDone }: WithdrawProps) {
  const t = useTranslations(OVERRIDES);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(trpc.rates.terms.queryKey(), trpc.rates.history.queryKey());
  return (
    <div className="withdraw">
      <ConfirmForm
        reason={{ label: t.reason, hint: t.reasonHint }}
        button={t.withdrawTheseTerms}
        isDanger
        mutation={(reason) => client.rates.withdraw.mutate({ ...owner, expected_version: version, reason }).finally(refresh)}
        onDone={({ terms }) => {
          if (terms === null) toast(t.proposed, t.proposedMore(pairName(owner)));
          else toast(t.withdrawn, t.withdrawnMore(pairName(owner)));
          onDone();
        }}
      />
    </div>
  );
}
