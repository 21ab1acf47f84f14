import type { Command } from "./command.ts";
import { batch } from "./commands/batch.ts";
import { cancel } from "./commands/cancel.ts";
import { certify } from "./commands/certify.ts";
import { clock } from "./commands/clock.ts";
import { confirm } from "./commands/confirm.ts";
import { doctor } from "./commands/doctor.ts";
import { events } from "./commands/events.ts";
import { get } from "./commands/get.ts";
import { init } from "./commands/init.ts";
import { listen } from "./commands/listen.ts";
import { login } from "./commands/login.ts";
import { logs } from "./commands/logs.ts";
import { mcp } from "./commands/mcp.ts";
import { pairs } from "./commands/pairs.ts";
import { quote } from "./commands/quote.ts";
import { resend } from "./commands/resend.ts";
import { sign } from "./commands/sign.ts";
import { trigger } from "./commands/trigger.ts";

/** Every subcommand, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  login,
  init,
  doctor,
  pairs,
  quote,
  confirm,
  cancel,
  batch,
  get,
  trigger,
  clock,
  listen,
  resend,
  logs,
  events,
  sign,
  certify,
  mcp,
];
