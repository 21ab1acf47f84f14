import { renderSettings } from "#contract/console/settings.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";

/** How the installation is set up, for the operator's people to read: it is changed where it is installed. */
export const settingsRouter = router({
  read: operatorProcedure().query(({ ctx: { settings, services } }) =>
    renderSettings(settings, { ...services.policy, ...services.entryRules }),
  ),
});
