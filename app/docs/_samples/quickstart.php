<?php
// --- 1. Sign a request: the standard library

declare(strict_types=1);

function uuid4(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** A signed request, and the JSON of its answer. The body is written once: what is signed is what is sent. */
function call(string $method, string $path, ?array $content = null, ?string $idempotency_key = null): array
{
    $body = $content === null ? '' : json_encode($content, JSON_UNESCAPED_SLASHES);
    $timestamp = (string) time();
    $message = implode("\n", [$timestamp, $method, $path, '', $body]);
    $headers = [
        'Authorization: ' . getenv('API_KEY'),
        'Content-Type: application/json',
        'X-Service-Timestamp: ' . $timestamp,
        'X-Service-Nonce: ' . uuid4(),
        'X-Service-Signature: ' . hash_hmac('sha256', $message, getenv('API_SECRET')),
    ];
    if ($idempotency_key !== null) {
        $headers[] = "Idempotency-Key: $idempotency_key";
    }
    $http = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
    $text = file_get_contents(getenv('SETTLEMENT_URL') . $path, false, stream_context_create(['http' => $http]));
    $answer = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if (isset($answer['code'])) {
        exit("$answer[status] $answer[code]: $answer[detail]\n");
    }
    return $answer;
}

$pair = call('GET', '/api/v1/pairs')['data'][0];
echo "1. signed: $pair[source_currency] to $pair[destination_currency] on $pair[chain], from $pair[minimum_source_amount] minor units\n";

// --- 2. Get a quote
// Your id of the order is the Idempotency-Key: a repeat with it, after a crash for example, returns the same quote.
$order = 'order-' . hrtime(true);
$quote = call('POST', '/api/v1/settlements', [
    'source_amount' => $pair['minimum_source_amount'] * 10,
    'source_currency' => $pair['source_currency'],
    'destination_currency' => $pair['destination_currency'],
    'chain' => $pair['chain'],
    'external_merchant_id' => 'shop-1',
    'wallet_address' => '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
], $order);
$amount = json_encode($quote['destination_amount']); // echo would round it
echo "2. quoted: $amount $quote[destination_currency] until $quote[expires_at], as $quote[tx_id]\n";

// --- 3. Confirm it, and say where to call back
// This replaces your web server, where the body is file_get_contents('php://input').
$inbox = stream_socket_server('tcp://127.0.0.1:0');
$confirmed = call('POST', "/api/v1/settlements/$quote[tx_id]/confirm", [
    'external_tx_id' => $order,
    'expected_destination_amount' => $quote['destination_amount'],
    'callback_url' => 'http://' . stream_socket_get_name($inbox, false) . '/callbacks',
]);
echo "3. confirmed: $confirmed[status]\n";

// --- 4. See it paid
$settlement = $confirmed;
while ($settlement['status'] === 'processing') {
    sleep(1);
    $settlement = call('GET', "/api/v1/settlements/$quote[tx_id]");
}
echo "4. $settlement[status]: " . ($settlement['tx_hash'] ?? '') . "\n";

// --- 5. Verify the callback
$connection = stream_socket_accept($inbox, 60);
$headers = [];
while (($line = rtrim(fgets($connection))) !== '') {
    [$name, $value] = explode(': ', $line, 2) + [1 => ''];
    $headers[strtolower($name)] = $value;
}
$body = stream_get_contents($connection, (int) $headers['content-length']);
fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
fclose($connection);

$key = base64_decode(substr(getenv('CALLBACK_SECRET'), strlen('whsec_')));
$signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
$expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
$matches = array_filter(explode(' ', $headers['webhook-signature']), fn ($given) => hash_equals($expected, $given));
if ($matches === [] || abs(time() - (int) $headers['webhook-timestamp']) > 300) {
    exit("this callback is not from the service, or not fresh\n");
}
echo '5. callback verified: ' . json_decode($body, true)['status'] . "\n";
