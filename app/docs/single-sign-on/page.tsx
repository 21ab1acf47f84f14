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
      lead="Your people sign in to the console with your company’s identity provider, and your directory can end their access."
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
          The card then shows the provider’s addresses here. Enter the redirect address at your provider, exactly as the card shows it. It
          is <code>{redirect}</code>, with your provider’s id in place of <code>ID</code>.
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
        <code>{PARTNER_STAFF_ROLES.join(", ")}</code>. The first line that fits decides, at each sign-in.
      </p>
      <ul>
        <li>
          Groups come from a claim of the ID token, <code>groups</code> unless you name another, or from the userinfo endpoint.
        </li>
        <li>People in none of the groups have no access, and their open sessions end.</li>
        <li>
          The first sign-in creates the person’s account. It needs <code>email</code>, and <code>email_verified</code> must be true.
        </li>
        <li>
          The same e-mail address alone links no accounts. People who already have an account sign in to it, and link the identity under
          Account.
        </li>
        <li>Your only owner keeps that role, whatever the groups say.</li>
      </ul>
    </Section>
  );
}

function Factor() {
  return (
    <Section id="second-factor" title="Second factor">
      <p>
        If you demand no <code>acr</code>, people use their own passkey or code here. If you demand one, each sign-in must carry exactly
        that <code>acr</code>. A step-up, a fresh proof of who somebody is, then happens at your provider too. We send{" "}
        <code>prompt=login</code>, <code>max_age=0</code> and <code>acr_values</code>, and accept only an <code>auth_time</code> after that.
      </p>
    </Section>
  );
}

function Duty() {
  return (
    <Section id="duty" title="Turn passwords off">
      <p>
        You can turn passwords off for all your people. Name two who keep a passkey for the day your provider does not answer. One of them
        must be an owner. Each time one of them signs in with it, all owners get a notice in the console and an e-mail.
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
        Enter <code>{signOut}</code> at your provider, as the card shows it. A logout token ends the sessions that it names, and we answer
        200 once they have ended. With <code>sid</code> it names one session at your provider; with <code>sub</code> alone it names all of a
        person’s. Each token counts once (<code>jti</code>) and must be fresh. A token that we refuse gets 400. If the answer is 503, send
        it again.
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
        Create a token on the provider’s card. It begins with <code>dir_</code>, and the card shows it once. A new token ends the one
        before. Give the token to your directory with this address:
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
              The <code>sub</code> of the ID tokens. Without it, the service cannot match the user to a person.
            </>,
          ],
          [<code key="u">userName</code>, "Unique in your directory, in upper or lower case."],
          ["Filters", 'eq on userName, externalId, displayName and id, such as userName eq "ada"'],
          ["Not supported", "Bulk, sorting, ETags"],
        ]}
      />
      <ul>
        <li>
          <code>active: false</code>, or a deletion, ends the person’s sessions and tokens with their next call. API keys that they made
          keep working for your programs, so revoke those that you no longer want.
        </li>
        <li>The directory’s groups count together with those of the ID token, at the next sign-in.</li>
        <li>Your directory can give access back only to people whose access it ended itself.</li>
      </ul>
      <Note>
        <p>
          Your directory cannot end the access of your only owner. With passwords off, this protects the only owner among the two who keep a
          passkey. The answer is 403: make somebody else an owner first.
        </p>
      </Note>
    </Section>
  );
}
