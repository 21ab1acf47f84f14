import type { Metadata } from "next";
import { PARTNER_STAFF_ROLES } from "#domain/access.ts";
import { ASKED_SCOPES, addressesOf, CLOCK_SKEW_SECONDS, OLDEST_SIGN_IN_SECONDS, SIGNATURES } from "#domain/identity-provider.ts";
import { Note, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/single-sign-on");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function SingleSignOn() {
  return (
    <Shell
      current={page.path}
      title={page.title}
      lead="Your people sign in to the console with your company’s identity provider, and your directory shuts them out."
    >
      <p>This is about people in the console. Programs use API keys, and nothing here changes those.</p>
      <Connect />
      <Roles />
      <Factor />
      <Duty />
      <SignOut />
      <Directory />
    </Shell>
  );
}

function Connect() {
  const { baseUrl, sandbox } = readSite();
  const { redirect, signIn } = addressesOf(baseUrl, { id: "ID", company: "SHORT-NAME" });
  return (
    <Section id="connect" title="Connect your provider">
      <ol>
        <li>An owner opens Single sign-on in the console and adds the provider: its issuer, a client id and the client’s secret.</li>
        <li>
          The card then shows the provider’s addresses here. Enter the redirect address at your provider, exactly as it is shown. It is{" "}
          <code>{redirect}</code>, with an id of its own.
        </li>
        <li>
          {sandbox
            ? "In the sandbox it is in force at once. In live mode another owner, or the operator’s admin, confirms it with a second factor."
            : "Another owner, or the operator’s admin, confirms it with a second factor. Until then nothing changes."}
        </li>
        <li>
          Your people sign in at <code>{signIn}</code>.
        </li>
      </ol>
      <Table
        caption="What your provider needs"
        columns={["Setting", "Value"]}
        rows={[
          ["Protocol", "OpenID Connect, authorization code, with PKCE (S256), state and nonce."],
          ["Issuer", "An https address on the public internet. Its configuration is at /.well-known/openid-configuration."],
          ["Client authentication", "client_secret_basic, or none for a public client."],
          ["Scopes", <code key="s">{ASKED_SCOPES}</code>],
          ["Signatures of tokens", `${SIGNATURES.join(", ")}. Never none, never HS256.`],
          ["Clocks", `At most ${CLOCK_SKEW_SECONDS} seconds apart.`],
          [
            "Age of a sign-in at the provider",
            `At most ${OLDEST_SIGN_IN_SECONDS / 3_600} hours. We send max_age, so the token has auth_time.`,
          ],
        ]}
      />
    </Section>
  );
}

function Roles() {
  return (
    <Section id="roles" title="Roles by group">
      <p>
        List your groups, one on each line, with the role that they give: <code>treasury = owner</code>. Roles are{" "}
        <code>{PARTNER_STAFF_ROLES.join(", ")}</code>. The first line that fits decides. Roles follow at each sign-in.
      </p>
      <ul>
        <li>
          Groups come from a claim of the ID token, <code>groups</code> unless you name another, or from the userinfo endpoint.
        </li>
        <li>Somebody in none of the groups has no access, and their open sessions end.</li>
        <li>
          The first sign-in makes the person. It needs <code>email</code>, and <code>email_verified</code> must be true.
        </li>
        <li>An equal e-mail address joins nobody. People who have an account sign in to it, and link the identity under Account.</li>
        <li>Your only owner keeps that role, whatever the groups say.</li>
      </ul>
    </Section>
  );
}

function Factor() {
  return (
    <Section id="second-factor" title="Second factor">
      <p>
        Without a demanded <code>acr</code>, people use their own passkey or code here. With one, each sign-in must carry exactly that{" "}
        <code>acr</code>. When the console asks who somebody is, your provider does: we send <code>prompt=login</code>,{" "}
        <code>max_age=0</code> and <code>acr_values</code>, and only an <code>auth_time</code> after the question counts.
      </p>
    </Section>
  );
}

function Duty() {
  return (
    <Section id="duty" title="No passwords any more">
      <p>
        You can shut passwords for all your people. Name two who keep a passkey for the day your provider is gone; one of them must be an
        owner. Each use of it is reported to all owners by mail and bell.
      </p>
    </Section>
  );
}

function SignOut() {
  const { baseUrl } = readSite();
  const { signOut } = addressesOf(baseUrl, { id: "ID", company: null });
  return (
    <Section id="sign-out" title="Back-channel sign-out">
      <p>
        Enter <code>{signOut}</code>, as the card shows it. A logout token ends the sessions that it names before we answer 200: by{" "}
        <code>sid</code> one session at your provider, by <code>sub</code> alone all of a person’s. Each token counts once (<code>jti</code>
        ) and must be fresh. A token that we refuse gets 400, and 503 means: send it again.
      </p>
    </Section>
  );
}

function Directory() {
  const { baseUrl } = readSite();
  const { directory } = addressesOf(baseUrl, { id: "ID", company: null });
  return (
    <Section id="directory" title="Directory (SCIM 2.0)">
      <p>
        Make a token on the provider’s card: it begins with <code>dir_</code> and is shown once. Another one ends it. Give it to your
        directory with this address:
      </p>
      <Table
        caption="What your directory needs"
        columns={["Setting", "Value"]}
        rows={[
          ["Address", <code key="a">{directory}</code>],
          ["Authentication", "Bearer token"],
          ["Resources", "Users, Groups, ServiceProviderConfig"],
          [
            <code key="e">externalId</code>,
            <>
              The <code>sub</code> of the ID tokens. Without it a user is nobody here.
            </>,
          ],
          [<code key="u">userName</code>, "Unique in your directory, whatever its case."],
          ["Filters", 'eq on userName, externalId, displayName and id, such as userName eq "ada"'],
          ["Not supported", "Bulk, sorting, ETags"],
        ]}
      />
      <ul>
        <li>
          <code>active: false</code>, or a deletion, ends the person’s sessions and tokens with their next call. API keys that they made
          keep working for your programs: revoke those that you no longer want.
        </li>
        <li>Groups count with those of the token, at the next sign-in.</li>
        <li>Only whom your directory shut out itself, it can let in again.</li>
      </ul>
      <Note>
        <p>
          Your directory cannot shut out your only owner. With passwords shut, this protects the only owner among the two who keep a
          passkey. The answer is 403: make somebody else an owner first.
        </p>
      </Note>
    </Section>
  );
}
