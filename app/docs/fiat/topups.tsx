import { fieldsOf } from "#contract/fields.ts";
import { topupRequestCreateSchema, topupRequestResponseSchema } from "#contract/partner/fiat.ts";
import { TOPUP_LIFECYCLE, TOPUP_LIFETIME_MS, TOPUP_STEP_STATUS } from "#domain/topup.ts";
import { duration } from "../_content/facts.ts";
import { ANSWERS, MEMBER, memberExample, memberReady, PAYMENTS, TOPUPS, topupStatus } from "../_content/fiat-examples.ts";
import { TOPUP_PROGRAM } from "../_content/fiat-programs.ts";
import { Code, Codes, Note, Section } from "../_parts/blocks.tsx";
import { Fields } from "../_parts/operation-block.tsx";
import { RunIt } from "../_parts/program.tsx";
import type { Site } from "../_parts/site.ts";
import { Example, inWords, StepsTable, SubStep } from "./shown.tsx";

/** The member of a top-up, and its Safe. */
export function MemberFirst({ site }: { site: Site }) {
  return (
    <Section id="member" title="A member and its Safe">
      <p>
        A member is one of your own customers, under your own id: <code>external_user_id</code>. A top-up goes to a member, and a withdrawal
        can come from one. Each <code>phone</code> can belong to only one of your members.
      </p>
      <Example site={site} call={memberExample} />
      <p>
        Without a <code>wallet_address</code> the service deploys a Safe: a smart-contract wallet that this service controls. That takes
        some blocks. Until <code>safe_status</code> is <code>deployed</code> and <code>wallet_address</code> has a value, the service
        refuses top-ups and withdrawals with <Codes codes={["conflict"]} />. Only this conflict has the member <code>safe_status</code> in
        its answer. The SDKs can wait for it.
      </p>
      <Example site={site} call={memberReady} />
      <p>
        With a <code>wallet_address</code> the member brings its own wallet. Its <code>safe_status</code> is null. You can top up the member
        at once, but we cannot withdraw anything from that wallet.
      </p>
    </Section>
  );
}

/** A whole program that collects fiat for a member. */
export function TopupProgram({ site }: { site: Site }) {
  const step = { of: "topup", program: TOPUP_PROGRAM, site };
  return (
    <Section id="topup" title="A top-up, up to its verified callback">
      <p>Download and run the whole program, in an empty folder and the same shell:</p>
      <RunIt program={TOPUP_PROGRAM} label="the top-up" />
      <SubStep {...step} number={1} title="A member, and its Safe">
        <p>
          As <a href="#member">above</a>. The member <code>{MEMBER}</code> is created once; later runs find it.
        </p>
      </SubStep>
      <SubStep {...step} number={2} title="Listen for the top-up’s callback">
        <p>
          As for a <a href="#withdrawal-2">withdrawal</a>: one route of your web server receives all events.
        </p>
      </SubStep>
      <SubStep {...step} number={3} title="Ask for the top-up, and tell the payer what to do">
        <p>
          <code>amount</code> is what the provider collects, in <a href="/docs/amounts#fiat">minor units</a>. The answer says what the
          member gets for it. Its <code>payment</code> says what the payer does now. Every other <code>source</code>:{" "}
          <a href="#topups">below</a>.
        </p>
      </SubStep>
      <SubStep {...step} number={4} title="See the top-up end">
        <p>
          It is <code>pending</code> until the payer has paid, <code>processing</code> until the crypto is final, then{" "}
          <code>completed</code> or <code>failed</code>.{site.sandbox ? " In the sandbox a payer pays after some seconds." : null}
        </p>
      </SubStep>
      <SubStep {...step} number={5} title="Read the top-up’s verified callback">
        <p>
          <a href="/docs/events#topup-completed">topup.completed</a> or <a href="/docs/events#topup-failed">topup.failed</a>.
        </p>
      </SubStep>
    </Section>
  );
}

/** Every source and payment, every field, and the life of a top-up. */
export function Topups({ site }: { site: Site }) {
  return (
    <Section id="topups" title="Fiat in: source and payment">
      <p>
        The provider collects <code>amount</code> from <code>source</code>. Then the service sends <code>destination_amount</code> to the
        member’s wallet, after your fee. <code>currency</code>, <code>destination_currency</code> and <code>chain</code> are those of one of
        your pairs. An amount outside the pair’s minimum and maximum is <Codes codes={["amount_too_small", "amount_too_large"]} />.
      </p>
      {TOPUPS.map((call) => (
        <Example key={call.id} site={site} call={call} />
      ))}
      <Fields caption="Fields of a top-up" fields={fieldsOf(topupRequestCreateSchema, "input")} input />
      <Code label="Answer: 201" language="json" text={JSON.stringify(ANSWERS.topup, null, 2)} />
      <Fields caption="Members of a top-up" fields={fieldsOf(topupRequestResponseSchema, "output")} />
      <p>
        <code>payment</code> is for the payer: show them <code>instructions</code>. Their payment must carry <code>reference</code>. Both
        can be null, and both can change once the provider has accepted the order. So show what the latest GET returns.
      </p>
      {PAYMENTS.map(({ type, payment }) => (
        <Code
          key={type}
          id={`payment-${type}`}
          label={`payment, where source.type is ${type}`}
          language="json"
          text={JSON.stringify(payment, null, 2)}
        />
      ))}
      <Note>
        <p>
          The payer can pay until <code>expires_at</code>, {duration(TOPUP_LIFETIME_MS / 1_000)} after the top-up’s creation. If they pay
          later, <code>paid_late_at</code> says when. The service then sends nothing for it, and the operator handles the money.
        </p>
      </Note>
      <p>
        <code>POST …/topup-fiat/&#123;id&#125;/cancel</code> cancels a top-up that the provider was not asked to collect yet, for example
        because the provider is not available. Its <code>status</code> becomes <code>failed</code>, with <code>cancelled_at</code> and the
        callback <a href="/docs/events#topup-cancelled">topup.cancelled</a>. Once the provider was asked, the payer may pay at any moment.
        The answer is then <Codes codes={["invalid_state"]} />, and the top-up ends at <code>expires_at</code> if it is not paid.
      </p>
      <Example site={site} call={topupStatus} />
      <p>
        Poll until <code>status</code> is <code>completed</code> or <code>failed</code>, or wait for the{" "}
        <a href="/docs/events#topup-completed">callback</a>.
      </p>
      <StepsTable caption="The life of a top-up" rows={lifeRows()} />
    </Section>
  );
}

function lifeRows(): string[][] {
  const rows = Object.entries(TOPUP_LIFECYCLE);
  return rows.map(([name, { from, to, callback }]) => [inWords(name), TOPUP_STEP_STATUS[from], TOPUP_STEP_STATUS[to], callback ?? "none"]);
}
