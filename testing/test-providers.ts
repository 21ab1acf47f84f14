/**
 * `npm run test:providers`: signing in at identity providers that others wrote and Debian brings, on loopback. Part of a release, not of
 * `npm test`: it needs their packages. `oidc-provider` is tried in every run (`server/auth/real-provider.test.ts`).
 */
import { join } from "node:path";
import { ROOT, runShown } from "#scripts/suites.ts";
import { GLEWLWYD_PACKAGES, glewlwydLacks } from "./glewlwyd.ts";
import { LEMONLDAP_PACKAGES, lemonLdapLacks } from "./lemonldap.ts";

const lacking = lemonLdapLacks() ?? glewlwydLacks();
if (lacking !== null) {
  const packages = `${LEMONLDAP_PACKAGES} ${GLEWLWYD_PACKAGES}`;
  process.stderr.write(
    `This needs LemonLDAP::NG and glewlwyd, and ${lacking} is missing: on Debian 12, \`apt-get install ${packages}\`.\n`,
  );
  process.exitCode = 2;
} else {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  process.exitCode = await runShown([vitest, "run", "server/auth/providers"], { REAL_PROVIDERS: "1" });
}
