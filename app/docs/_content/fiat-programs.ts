import topupGo from "../_samples/topup.go?raw";
import topupTypeScript from "../_samples/topup.mts?raw";
import topupPhp from "../_samples/topup.php?raw";
import topupPython from "../_samples/topup.py?raw";
import topupShell from "../_samples/topup.sh?raw";
import withdrawalGo from "../_samples/withdrawal.go?raw";
import withdrawalTypeScript from "../_samples/withdrawal.mts?raw";
import withdrawalPhp from "../_samples/withdrawal.php?raw";
import withdrawalPython from "../_samples/withdrawal.py?raw";
import withdrawalShell from "../_samples/withdrawal.sh?raw";
import { inBash, inGoWithSdk, inPhpWithSdk, inPython, inTypeScript, type Program } from "./programs.ts";

const HASH = `0x${"9f4e2a7c".repeat(8)}`;
const SAFE = "0x8aDA56aea00aDcB47BE90B62b1aa82Daff21E796";

/** From a key to a payout in fiat and a verified callback. */
export const WITHDRAWAL_PROGRAM: Program = {
  samples: [
    inBash("withdrawal", withdrawalShell, "apiKey"),
    inTypeScript("withdrawal", withdrawalTypeScript),
    inPython("withdrawal", withdrawalPython),
    inGoWithSdk("withdrawal", withdrawalGo),
    inPhpWithSdk("withdrawal", withdrawalPhp),
  ],
  printed: [
    `1. out of the Safe ${SAFE}: from 100 minor units of KES`,
    "2. listening",
    "3. pending: 9.623261 USDT to be taken, as wd_01m8t8v4jn9dhb51ts8ep1scmm",
    `4. completed: taken by ${HASH}, paid as sim_wd_01m8t8v4jn9dhb51ts8ep1scmm`,
    "5. withdrawal.completed: 123400 KES to Wanjiru Kamau",
  ],
};

/** From a member to crypto in its Safe and a verified callback. */
export const TOPUP_PROGRAM: Program = {
  samples: [
    inBash("topup", topupShell, "apiKey"),
    inTypeScript("topup", topupTypeScript),
    inPython("topup", topupPython),
    inGoWithSdk("topup", topupGo),
    inPhpWithSdk("topup", topupPhp),
  ],
  printed: [
    `1. user-1001 has the Safe ${SAFE}`,
    "2. listening",
    "3. pending: 19.304375 USDT to be sent, as tu_01m8tca250zw4zwphg31cyp7bn\n   to the payer: Confirm the request for KES 2500.00 on the phone +254712345678.",
    `4. completed: sent by ${HASH}, collected as sim_tu_01m8tca250zw4zwphg31cyp7bn`,
    `5. topup.completed: 19.304375 USDT in ${SAFE}`,
  ],
};
