<?php
// --- 1. See what can be paid out, and from where

declare(strict_types=1);

use SettlementSdk\SettlementClient;
use SettlementSdk\Types;
use SettlementSdk\Verifier;

require glob(__DIR__ . '/settlement-sdk-php-*/autoload.php')[0];

$client = new SettlementClient(getenv('SETTLEMENT_URL'), getenv('API_KEY'), getenv('API_SECRET'));

$self = $client->partner();
foreach ($client->withdrawals->pools() as $pool) {
    if ($pool->currency === 'KES') {
        echo "1. out of the Safe $self->wallet_address: from $pool->minimum minor units of $pool->currency\n";
    }
}

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

// --- 3. Ask for the withdrawal
// The external_id is your own id, stored before you ask:
// a repeat with it, after a crash for example, is the same withdrawal.
$withdrawal = $client->withdrawals->create(new Types\WithdrawCreate(
    external_id: 'payout-' . hrtime(true),
    amount: 123_400, // KES 1,234.00
    currency: 'KES',
    source_currency: 'USDT',
    chain: 'eip155:31337',
    destination: new Types\WithdrawCreateDestination(
        type: 'mobile_money',
        account: '+254712345678',
        name: 'Wanjiru Kamau',
    ),
    callback_url: $callback_url,
));
echo "3. $withdrawal->status: $withdrawal->source_amount $withdrawal->source_currency to be taken, as $withdrawal->id\n";

// --- 4. See it end
$ended = $client->withdrawals->waitForTerminal($withdrawal->id);
echo "4. $ended->status: taken by $ended->tx_hash, paid as $ended->provider_reference\n";

// --- 5. Read the verified callback
// The verifier checks the raw bytes before you trust anything:
// it throws CallbackRefused unless they are ours and fresh. Answer 400 then.
[$headers, $body] = receive($inbox);
$callback = (new Verifier([getenv('CALLBACK_SECRET')]))->callback($headers, $body);
$read = $callback->body();
if ($read instanceof Types\WithdrawalCompleted) {
    echo "5. $callback->event: $read->amount $read->currency to {$read->destination->name}\n";
} elseif ($read instanceof Types\WithdrawalFailed) {
    echo "5. $callback->event: $read->failure_reason Given back by $read->return_tx_hash\n";
}
