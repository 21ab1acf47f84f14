import { Check, Hourglass } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { CodeBlock } from "../../_components/controls/code-block.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Badge } from "../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Provider } from "./answers.ts";
import { PROVIDER } from "./words.ts";

const ProviderForm = lazyComponent(() => import("./provider-form.tsx").then(({ ProviderForm: Loaded }) => Loaded));

type ProviderCardProps = {
  provider: Provider;
  side: "operator" | "partner";
  self: string;
  onChange: () => void;
  /** The partner whose it is, where that is somebody else. */
  of?: string;
};

/** One provider: its settings, the addresses that the provider needs, and what can be done with it. */
export function ProviderCard({ provider, side, self, onChange, of }: ProviderCardProps) {
  const t = useTranslations(PROVIDER);
  const { identity } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation();
  const [asked, setAsked] = useState<"change" | "confirm" | "remove" | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const { id, in_force, draft } = provider;
  const shown = draft ?? in_force;
  if (shown === null) return null;
  const name = of === undefined ? shown.name : `${of}: ${shown.name}`;
  const close = () => setAsked(null);
  return (
    <Section title={t.heading(name)} aside={<State isInForce={in_force !== null} />}>
      {error !== null && <Refused error={error} />}
      {draft !== null && <p role="status">{t.waits(draft.by)}</p>}
      <dl className="provider-facts">
        <Fact label={t.issuer}>{shown.issuer}</Fact>
        <Fact label={t.clientId}>{shown.client_id}</Fact>
        <Fact label={t.roles}>{shown.roles.map(({ group, role }) => `${group} = ${role}`).join(", ") || t.noRoles}</Fact>
        <Fact label={t.acr}>{shown.demanded_acr ?? t.noAcr}</Fact>
        <Fact label={t.duty}>{shown.is_duty ? t.isDuty : t.noDuty}</Fact>
        <Address label={t.signInPage} url={provider.sign_in_uri} />
        <Address label={t.redirect} url={provider.redirect_uri} />
        <Address label={t.signOut} url={provider.sign_out_uri} />
        <Address label={t.directory} url={provider.directory_uri} />
      </dl>
      <div className="button-row">
        {draft !== null && draft.by_id !== self && <Button onClick={() => setAsked("confirm")}>{t.confirm}</Button>}
        {of === undefined && <Button onClick={() => setAsked("change")}>{t.change}</Button>}
        {of === undefined && in_force !== null && (
          <Button
            pending={pending}
            onClick={() =>
              void run(
                () => identity.makeDirectoryToken.mutate({ provider_id: id }),
                (made) => setToken(made.token),
              )
            }
          >
            {t.makeToken}
          </Button>
        )}
        <Button look="danger" onClick={() => setAsked("remove")}>
          {draft !== null && in_force !== null ? t.withdraw : t.remove}
        </Button>
      </div>
      {asked === "change" && <ProviderForm side={side} provider={provider} onSaved={onChange} onClose={close} />}
      {asked === "confirm" && draft !== null && (
        <ConfirmDialog
          title={t.confirmTitle(name)}
          description={t.confirmExplained}
          button={t.confirm}
          mutation={() => identity.confirm.mutate({ provider_id: id, expected: draft.at })}
          onDone={onChange}
          onClose={close}
        />
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={t.removeTitle(name)}
          description={t.removeExplained}
          button={draft !== null && in_force !== null ? t.withdraw : t.remove}
          isDanger
          cancel={t.keep}
          mutation={() => identity.remove.mutate({ provider_id: id, only_draft: draft !== null })}
          onDone={onChange}
          onClose={close}
        />
      )}
      {token !== null && (
        <Dialog open onOpenChange={(open) => !open && setToken(null)} title={t.tokenTitle(name)} description={t.tokenOnce}>
          <CodeBlock text={token} label={t.token} />
          <div className="form-buttons">
            <Button look="primary" onClick={() => setToken(null)}>
              {t.done}
            </Button>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

function State({ isInForce }: { isInForce: boolean }) {
  const t = useTranslations(PROVIDER);
  if (isInForce) return <Badge word={t.inForce} icon={Check} tone="executed" />;
  return <Badge word={t.notYet} icon={Hourglass} tone="pending" />;
}

/** An address that somebody enters elsewhere. */
function Address({ label, url }: { label: string; url: string }) {
  const t = useTranslations(PROVIDER);
  return (
    <Fact label={label} aside={<CopyButton text={url} label={t.copy(label)} />}>
      {url}
    </Fact>
  );
}

function Fact({ label, children, aside }: { label: string; children: ReactNode; aside?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Data>{children}</Data>
        {aside}
      </dd>
    </div>
  );
}
