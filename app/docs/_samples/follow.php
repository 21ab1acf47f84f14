<?php
// --- 1. Say where events go: the standard library

declare(strict_types=1);

function uuid4(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** A signed request, and the JSON of its answer. The body is written once: what is signed is what is sent. */
function call(string $method, string $path, ?array $content = null): array
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
    $http = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
    $text = file_get_contents(getenv('SETTLEMENT_URL') . $path, false, stream_context_create(['http' => $http]));
    $answer = $text === '' ? [] : json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if (isset($answer['code'])) {
        exit("$answer[status] $answer[code]: $answer[detail]\n");
    }
    return $answer;
}

/** One request: its headers, and its body. This replaces your web server, where the body is file_get_contents('php://input'). */
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
$destination = call('POST', '/api/v1/event-destinations', [
    'type' => 'webhook',
    'url' => 'http://' . stream_socket_get_name($inbox, false) . '/events',
    'types' => ['settlement.*'],
]);
// Shown this once: keep it with your other secrets.
$secret = $destination['secret'];
$path = "/api/v1/event-destinations/$destination[id]";
echo "1. $destination[id] is $destination[status]\n";

// --- 2. Test it
// This program does one thing at a time: it takes what arrives, and then asks how the test ended.
$test = call('POST', "$path/test")['last_test'];
while ($test['ended_at'] === null) {
    [$arriving, $none] = [[$inbox], null];
    if (stream_select($arriving, $none, $none, 0, 500_000) > 0) {
        receive($inbox);
    }
    $test = call('GET', $path)['last_test'];
}
echo '2. test event delivered: ' . json_encode($test['delivered']) . "\n";

// --- 3. Change something
$pair = call('GET', '/api/v1/pairs')['data'][0];
$quote = call('POST', '/api/v1/settlements', [
    'source_amount' => $pair['minimum_source_amount'] * 10,
    'source_currency' => $pair['source_currency'],
    'destination_currency' => $pair['destination_currency'],
    'chain' => $pair['chain'],
    'external_merchant_id' => 'shop-1',
    'wallet_address' => '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
]);
echo "3. quoted: $quote[tx_id]\n";

// --- 4. Verify its event
do {
    [$headers, $body] = receive($inbox);
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $matches = array_filter(explode(' ', $headers['webhook-signature']), fn ($given) => hash_equals($expected, $given));
    if ($matches === [] || abs(time() - (int) $headers['webhook-timestamp']) > 300) {
        exit("this event is not from the service, or not fresh\n");
    }
    $event = json_decode($body, true);
} while ($event['object_id'] !== $quote['tx_id']);
// Do the work once for each id, and ignore a version that is older than the one you have.
echo "4. verified: $event[type], version $event[version]\n";

// --- 5. Read it again
$read = call('GET', "/api/v1/events/$event[id]");
call('DELETE', $path);
echo "5. read: $read[type] of $read[object_id]\n";
