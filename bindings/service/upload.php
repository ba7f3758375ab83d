<?php
// Makes a photo upright with the service: php upload.php http://127.0.0.1:8080 photo.jpg upright.jpg
[, $service, $photo, $result] = $argv;
$request = ["method" => "POST", "header" => "Content-Type: image/jpeg", "content" => file_get_contents($photo),
    "ignore_errors" => true];
$answer = file_get_contents(rtrim($service, "/") . "/normalize?check-unchanged=true", false, stream_context_create(["http" => $request]));
if ($answer === false) exit(2);
if (!str_contains($http_response_header[0], " 200 ")) {
    // A proxy responds with HTML.
    $problem = json_decode($answer);
    fwrite(STDERR, isset($problem->code) ? "$problem->code: $problem->detail\n" : "$http_response_header[0]\n");
    exit(2);
}
file_put_contents($result, $answer);
echo implode(preg_replace("/^upright-action: /i", "", preg_grep("/^upright-action:/i", $http_response_header))), "\n";
