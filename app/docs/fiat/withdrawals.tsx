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
      <p>
        Out of your own Safe, so that no member is needed. The program, whole, and what starts it, in a folder of its own and in the same
        shell:
      </p>
      <RunIt program={WITHDRAWAL_PROGRAM} label="the withdrawal" />
      <SubStep {...step} number={1} title="See what can be paid out, and from where">
        <p>
          The crypto is taken from your Safe{site.sandbox ? "; the sandbox gave yours test tokens" : null}. The fiat comes out of the
          currency’s <a href="#pools">pool</a>.
        </p>
      </SubStep>
      <SubStep {...step} number={2} title="Listen for the callback">
        <p>
          In your own service this is a route of your web server. Anybody can send it a POST: believe the one whose signature holds over the
          bytes as they came. {site.sandbox ? "A sandbox calls http://127.0.0.1 too." : "The address has to be https."}
        </p>
      </SubStep>
      <SubStep {...step} number={3} title="Ask for the withdrawal">
        <p>
          <code>amount</code> is what the payee gets, in <a href="/docs/amounts#fiat">minor units</a>. <code>currency</code>,{" "}
          <code>source_currency</code> and <code>chain</code> are those of one of your pairs (<code>client.prices.pairs()</code>,{" "}
          <code>{listPairsOperation.path}</code>). The answer says what is taken for it, and that price holds. Every other{" "}
          <code>destination</code>: <a href="#withdrawals">below</a>.
        </p>
      </SubStep>
      <SubStep {...step} number={4} title="See it end">
        <p>
          It is <code>pending</code> until the crypto was taken, <code>processing</code> until the provider has paid, then{" "}
          <code>completed</code> or <code>failed</code>.
        </p>
      </SubStep>
      <SubStep {...step} number={5} title="Read the verified callback">
        <p>
          It says what a GET says, and its <code>event</code>: <a href="/docs/events#withdrawal-completed">withdrawal.completed</a> or{" "}
          <a href="/docs/events#withdrawal-failed">withdrawal.failed</a>. In the SDKs the event tells the type of the body. To see it fail,
          let <code>account</code> end in <code>999901</code>.
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
        The crypto is taken from the Safe first; when that is final, the provider pays <code>amount</code> to <code>destination</code>. Your
        fee comes on top: <code>source_amount</code> covers both.
      </p>
      <Example site={site} call={ownSafe} />
      {WITHDRAWALS.map((call) => (
        <Example key={call.id} site={site} call={call} />
      ))}
      <Fields caption="Fields of a withdrawal" fields={fieldsOf(withdrawPartnerCreateSchema, "input")} input />
      <p>
        <code>external_user_id</code> is wanted from a member’s Safe, and refused from your own.
      </p>
      <Code label="Answer: 201" language="json" text={JSON.stringify(ANSWERS.withdrawal, null, 2)} />
      <Fields caption="Members of a withdrawal" fields={fieldsOf(withdrawRequestResponseSchema, "output")} />
      <Example site={site} call={withdrawalStatus} />
      <p>
        Ask so until <code>status</code> is <code>completed</code> or <code>failed</code>, or wait for the{" "}
        <a href="/docs/events#withdrawal-completed">callback</a>.
      </p>
      <StepsTable caption="The life of a withdrawal" rows={lifeRows()} />
      <p>
        A payout that fails after the crypto was taken gives it back: <code>return_tx_hash</code> names the transfer, and{" "}
        <code>failure_reason</code> says why.
      </p>
      <h3 id="pools">What can be paid out</h3>
      <p>
        A list, an entry for each currency. Outside of <code>minimum</code> and <code>maximum</code>, the limits for one withdrawal:{" "}
        <Codes codes={["amount_too_small", "amount_too_large"]} />; beyond <code>available</code>:{" "}
        <Codes codes={["insufficient_liquidity"]} />; more than the Safe holds: <Codes codes={["insufficient_funds"]} />, and a new member’s
        Safe is empty until it was topped up.
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
