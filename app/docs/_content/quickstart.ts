import go from "../_samples/quickstart.go?raw";
import typescript from "../_samples/quickstart.mts?raw";
import php from "../_samples/quickstart.php?raw";
import python from "../_samples/quickstart.py?raw";
import shell from "../_samples/quickstart.sh?raw";
import { inBash, inGo, inPhp, inPython, inTypeScript, type Program } from "./programs.ts";

/** From a key to a paid settlement and a verified callback. */
export const QUICKSTART: Program = {
  samples: [
    inBash("quickstart", shell, "Authorization"),
    inTypeScript("quickstart", typescript),
    inPython("quickstart", python),
    inGo("quickstart", go),
    inPhp("quickstart", php),
  ],
  printed: [
    "1. signed: EUR to USDC on eip155:31337, from 100 minor units",
    "2. quoted: 10.317289 USDC until 2026-11-21T10:05:00.000Z, as tx_01k9x2m7h3q8v4b6n5c1d0e9ra",
    "3. confirmed: processing",
    "4. executed: 0x9f4e2a7c9f4e2a7c9f4e2a7c9f4e2a7c9f4e2a7c9f4e2a7c9f4e2a7c9f4e2a7c",
    "5. callback verified: executed",
  ],
};
