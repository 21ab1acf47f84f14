# A shell cannot listen, so Node replaces your web server: it writes each request to a file.
INBOX=$(mktemp -d)
node -e '
  const { writeFileSync } = require("node:fs");
  const inbox = process.argv[1] + "/";
  const server = require("node:http").createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", () => {
      response.end();
      writeFileSync(inbox + "headers", Object.entries(request.headers).map((one) => one.join(": ")).join("\n"));
      writeFileSync(inbox + "body", Buffer.concat(parts));
      server.close();
    });
  });
  server.listen(0, "127.0.0.1", () => writeFileSync(inbox + "port", String(server.address().port)));
' "$INBOX" &
RECEIVER=$!
until [ -s "$INBOX/port" ]; do sleep 0.1; done
