import { fieldsOf } from "#contract/fields.ts";
import { withdrawPartnerCreateSchema, withdrawRequestResponseSchema } from "#contract/partner/fiat.ts";
import { listPairsOperation } from "#contract/settlement/v1/operations.ts";
import { WITHDRAWAL_LIFECYCLE, WITHDRAWAL_STEP_FACTS } from "#domain/withdrawal.ts";
import { ANSWERS, ownSafe, pools, WITHDRAWALS, withdrawalStatus } from "../_content/fiat-examples.ts";
import { WITHDRAWAL_PROGRAM } from "../_content/fiat-programs.ts";
import { Code, Codes, Section } from "../_parts/blocks.tsx";
import { Fields } from "../_parts/operation-block.tsx";
import { RunIt } from "../_parts/program.tsx";
import type { Site } from "../_parts/site.ts";
import { Example, inWords, StepsTable, SubStep } from "./shown.tsx";

/** A whole program that pays fiat out of the partner's own Safe. */
export function WithdrawalProgram({ site }: { site: Site }) {
  const step = { of: "withdrawal", program: WITHDRAWAL_PROGRAM, site };
  return (
    <Section id="withdrawal" title="A withdrawal, up to its verified callback">
      <p>From your own Safe, so that you need no member. Download and run the whole program, in an empty folder and the same shell:</p>
      <RunIt program={WITHDRAWAL_PROGRAM} label="the withdrawal" />
      <SubStep {...step} number={1} title="See what can be paid out, and from where">
        <p>
          The service takes the crypto from your Safe{site.sandbox ? "; the sandbox gave yours test tokens" : null}. The fiat comes out of
          the currency’s <a href="#pools">pool</a>.
        </p>
      </SubStep>
      <SubStep {...step} number={2} title="Listen for the callback">
        <p>
          In your own service this is a route of your web server. Anybody can send it a POST: trust only one whose signature matches the raw
          bytes. {site.sandbox ? "A sandbox calls http://127.0.0.1 too." : "The address must be https."}
        </p>
      </SubStep>
      <SubStep {...step} number={3} title="Ask for the withdrawal">
        <p>
          <code>amount</code> is what the payee gets, in <a href="/docs/amounts#fiat">minor units</a>. <code>currency</code>,{" "}
          <code>source_currency</code> and <code>chain</code> are those of one of your pairs (<code>client.prices.pairs()</code>,{" "}
          <code>{listPairsOperation.path}</code>). The answer says how much crypto the service takes for it, and that price is fixed. Every
          other <code>destination</code>: <a href="#withdrawals">below</a>.
        </p>
      </SubStep>
      <SubStep {...step} number={4} title="See it end">
        <p>
          It is <code>pending</code> until the crypto is taken, <code>processing</code> until the provider has paid, then{" "}
          <code>completed</code> or <code>failed</code>.
        </p>
      </SubStep>
      <SubStep {...step} number={5} title="Read the verified callback">
        <p>
          It contains what a GET returns, and its <code>event</code>: <a href="/docs/events#withdrawal-completed">withdrawal.completed</a>{" "}
          or <a href="/docs/events#withdrawal-failed">withdrawal.failed</a>. In the SDKs the event determines the type of the body. To see
          it fail, use an <code>account</code> that ends in <code>999901</code>.
        </p>
      </SubStep>
    </Section>
  );
}

/** Every destination, every field, and the life of a withdrawal. */
export function Withdrawals({ site }: { site: Site }) {
  return (
    <Section id="withdrawals" title="Fiat out: destination">
      <p>
        The service first takes the crypto from the Safe. When that is final, the provider pays <code>amount</code> to{" "}
        <code>destination</code>. Your fee comes on top: <code>source_amount</code> covers both.
      </p>
      <Example site={site} call={ownSafe} />
      {WITHDRAWALS.map((call) => (
        <Example key={call.id} site={site} call={call} />
      ))}
      <Fields caption="Fields of a withdrawal" fields={fieldsOf(withdrawPartnerCreateSchema, "input")} input />
      <p>
        Send <code>external_user_id</code> for a member’s Safe, and never for your own.
      </p>
      <Code label="Answer: 201" language="json" text={JSON.stringify(ANSWERS.withdrawal, null, 2)} />
      <Fields caption="Members of a withdrawal" fields={fieldsOf(withdrawRequestResponseSchema, "output")} />
      <p>
        <code>POST …/withdraw-fiat/&#123;id&#125;/cancel</code> cancels a withdrawal while its crypto is in the Safe. That includes one that
        waits for a new payee or a hold. Its <code>status</code> becomes <code>failed</code>, with <code>cancelled_at</code> and the
        callback <a href="/docs/events#withdrawal-cancelled">withdrawal.cancelled</a>. The pool no longer reserves its fiat. A repeat
        answers the same. Once a transaction takes the crypto, the answer is <Codes codes={["invalid_state"]} />, and nothing changes.
      </p>
      <Example site={site} call={withdrawalStatus} />
      <p>
        Poll until <code>status</code> is <code>completed</code> or <code>failed</code>, or wait for the{" "}
        <a href="/docs/events#withdrawal-completed">callback</a>.
      </p>
      <StepsTable caption="The life of a withdrawal" rows={lifeRows()} />
      <p>
        If a payout fails after the crypto was taken, the service returns the crypto: <code>return_tx_hash</code> is the transfer, and{" "}
        <code>failure_reason</code> says why the payout failed.
      </p>
      <h3 id="pools">What can be paid out</h3>
      <p>
        The answer is a list with an entry for each currency. <code>minimum</code> and <code>maximum</code> limit one withdrawal:{" "}
        <Codes codes={["amount_too_small", "amount_too_large"]} />. More than <code>available</code> is{" "}
        <Codes codes={["insufficient_liquidity"]} />, and more than the Safe holds is <Codes codes={["insufficient_funds"]} />. A new
        member’s Safe is empty until its first top-up.
      </p>
      <Example site={site} call={pools} />
      <Code label="Pools" language="json" text={JSON.stringify(ANSWERS.pool, null, 2)} />
    </Section>
  );
}

function lifeRows(): string[][] {
  const status = (step: keyof typeof WITHDRAWAL_STEP_FACTS) => WITHDRAWAL_STEP_FACTS[step].status;
  return Object.entries(WITHDRAWAL_LIFECYCLE).map(([name, { from, to, callback }]) => [
    inWords(name),
    status(from),
    status(to),
    callback ?? "none",
  ]);
}
