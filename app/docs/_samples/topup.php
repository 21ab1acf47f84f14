<?php
// --- 1. A member, and its Safe

declare(strict_types=1);

use SettlementSdk\SettlementClient;
use SettlementSdk\Types;
use SettlementSdk\Verifier;

require glob(__DIR__ . '/settlement-sdk-php-*/autoload.php')[0];

$client = new SettlementClient(getenv('SETTLEMENT_URL'), getenv('API_KEY'), getenv('API_SECRET'));

// The external_user_id is your own id: created again with the same values, it is the same member.
$client->members->create(new Types\MemberCreate(
    external_user_id: 'user-1001',
    phone: '+254712345678',
    name: 'Wanjiru Kamau',
));
$member = $client->members->waitForSafe('user-1001');
echo "1. $member->external_user_id has the Safe $member->wallet_address\n";

// --- 2. Listen for the callback
/** One request: its headers, and its body. This replaces your web server, where they are getallheaders() and file_get_contents('php://input'). */
function receive($inbox): array
{
    $connection = stream_socket_accept($inbox, 60);
    $headers = [];
    while (($line = rtrim(fgets($connection))) !== '') {
        [$name, $value] = explode(': ', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = $value;
    }
    $body = stream_get_contents($connection, (int) $headers['content-length']);
    fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    fclose($connection);
    return [$headers, $body];
}

$inbox = stream_socket_server('tcp://127.0.0.1:0');
$callback_url = 'http://' . stream_socket_get_name($inbox, false) . '/callbacks';
echo "2. listening\n";

// --- 3. Ask for the top-up, and tell the payer what to do
// The external_id is your own id, stored before you ask:
// a repeat with it, after a crash for example, is the same top-up.
$topup = $client->topups->create(new Types\TopupRequestCreate(
    external_id: 'topup-' . hrtime(true),
    external_user_id: 'user-1001',
    amount: 250_000, // KES 2,500.00
    currency: 'KES',
    destination_currency: 'USDT',
    chain: 'eip155:31337',
    source: new Types\TopupRequestCreateSource(type: 'mobile_money', account: '+254712345678'),
    callback_url: $callback_url,
));
echo "3. $topup->status: $topup->destination_amount $topup->destination_currency to be sent, as $topup->id\n";
echo "   to the payer: {$topup->payment->instructions}\n";

// --- 4. See it end
$ended = $client->topups->waitForTerminal($topup->id);
echo "4. $ended->status: sent by $ended->tx_hash, collected as $ended->provider_reference\n";

// --- 5. Read the verified callback
// The verifier checks the raw bytes before you trust anything:
// it throws CallbackRefused unless they are ours and fresh. Answer 400 then.
[$headers, $body] = receive($inbox);
$callback = (new Verifier([getenv('CALLBACK_SECRET')]))->callback($headers, $body);
$read = $callback->body();
if ($read instanceof Types\TopupCompleted) {
    echo "5. $callback->event: $read->destination_amount $read->destination_currency in $read->wallet_address\n";
} elseif ($read instanceof Types\TopupFailed) {
    echo "5. $callback->event: $read->failure_reason\n";
}
