import go from "../_samples/follow.go?raw";
import typescript from "../_samples/follow.mts?raw";
import php from "../_samples/follow.php?raw";
import python from "../_samples/follow.py?raw";
import shell from "../_samples/follow.sh?raw";
import { GO_CLIENT, PHP_CLIENT, THE_CLIENT } from "./in-languages.ts";
import { inBash, inGo, inPhp, inPython, inTypeScript, type Program } from "./programs.ts";

/** From an event destination to a verified event. */
export const FOLLOW: Program = {
  samples: [
    inBash("follow", shell, "Authorization"),
    inTypeScript("follow", typescript),
    inPython("follow", python),
    inGo("follow", go),
    inPhp("follow", php),
  ],
  printed: [
    "1. de_01kb8h3n5t7w9y1a2c4e6g8j0m is active",
    "2. test event delivered: true",
    "3. quoted: tx_01kb8h3q2r4s6t8v0w1x3y5z7a",
    "4. verified: settlement.created, version 1",
    "5. read: settlement.created of tx_01kb8h3q2r4s6t8v0w1x3y5z7a",
  ],
};

/** Reading without a destination, in the order of `ALL_CLIENTS`: every event once, and after a crash those of a page again. */
export const READING: readonly string[] = [
  `import { readFile, writeFile } from "node:fs/promises";
${THE_CLIENT.typescript}

const store = {
  read: () => readFile("cursor", "utf8").catch(() => null),
  write: (cursor: string) => writeFile("cursor", cursor),
};
for await (const event of client.events.follow(store, { types: "settlement.*,batch.completed" }))
  console.log(event.type, event.object_id, event.version);`,
  `${THE_CLIENT.python.replace("import os\n", "import os\nfrom pathlib import Path\n")}


class Store:
    def read(self):
        return Path("cursor").read_text() if Path("cursor").exists() else None

    def write(self, cursor):
        Path("cursor").write_text(cursor)


for event in client.events.follow(Store(), types="settlement.*,batch.completed"):
    print(event["type"], event["object_id"], event["version"])`,
  `${GO_CLIENT}

following := client.Events.Follow(settlement.FileCursor("cursor"), settlement.FollowQuery{Types: "settlement.*,batch.completed"})
for following.Next(ctx) {
	event := following.Event()
	fmt.Println(event.Type, event.ObjectID, event.Version)
}
log.Fatal(following.Err())`,
  `${PHP_CLIENT.replace("use SettlementSdk\\Settle", "use SettlementSdk\\FileCursor;\nuse SettlementSdk\\Settle").replace("use SettlementSdk\\Types;\n", "")}

foreach ($client->events->follow(new FileCursor('cursor'), types: 'settlement.*,batch.completed') as $event) {
    echo "$event->type $event->object_id $event->version\\n";
}`,
];
