/** `npm run check`: what can be told about the code without running it. */
import { runChecks } from "./checks.ts";

const { failed } = await runChecks();
process.exit(failed === 0 ? 0 : 1);
