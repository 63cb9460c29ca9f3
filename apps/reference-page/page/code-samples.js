// The request that the form holds, in the languages that merchants' servers are written in: one
// table of requests and five ways to write one, so that the samples cannot differ.

/**
 * @typedef {object} SampleRequest
 * @property {boolean} isRead by GET, with the fields in the query
 * @property {string} url without a query
 * @property {string} token
 * @property {readonly (readonly [string, string])[]} fields
 */

/**
 * @typedef {object} Language
 * @property {string} name
 * @property {(request: SampleRequest) => string} write
 */

/** @param {string} text as a shell reads it back */
const forShell = (text) =>
  /^[\w.:/@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** @param {string} text for languages whose strings are as those of JSON */
const inDoubleQuotes = (text) => JSON.stringify(text);

/** @param {string} text PHP takes nothing in single quotes for a variable */
const forPhp = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

/** @param {string} text whatever encoding the compiler takes the file for */
const forJava = (text) =>
  JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @param {SampleRequest} request */
function curl({ isRead, url, token, fields }) {
  const words = [`curl ${isRead ? '-G ' : ''}${forShell(url)}`];
  words.push(`-H ${forShell(`Authorization: Bearer ${token}`)}`);
  for (const [name, value] of fields) {
    const flag = /^[\w.@:/ -]*$/.test(value) && !value.startsWith('@') ? '-d' : '--data-urlencode';
    words.push(`${flag} ${forShell(`${name}=${value}`)}`);
  }
  return words.join(' \\\n  ');
}

/** @param {SampleRequest} request */
function javaScript({ isRead, url, token, fields }) {
  const lines = fields.map(
    ([name, value]) => `  [${inDoubleQuotes(name)}, ${inDoubleQuotes(value)}],`,
  );
  const target = isRead ? `\`${url}?\${fields}\`` : inDoubleQuotes(url);
  return [
    'const fields = new URLSearchParams([',
    ...lines,
    ']);',
    `const response = await fetch(${target}, {`,
    ...(isRead ? [] : ['  method: "POST",', '  body: fields,']),
    `  headers: { Authorization: ${inDoubleQuotes(`Bearer ${token}`)} },`,
    '});',
    '// HTTP 400 is an answer too: its body has the reason.',
    'const { id, result } = await response.json();',
    'console.log(id, result.code, result.description);',
  ].join('\n');
}

/** @param {SampleRequest} request */
function python({ isRead, url, token, fields }) {
  const lines = fields.map(
    ([name, value]) => `    (${inDoubleQuotes(name)}, ${inDoubleQuotes(value)}),`,
  );
  const [target, data] = isRead
    ? [`${inDoubleQuotes(`${url}?`)} + urlencode(fields)`, []]
    : [inDoubleQuotes(url), ['    data=urlencode(fields).encode(),']];
  return [
    'import json',
    'from urllib.error import HTTPError',
    'from urllib.parse import urlencode',
    'from urllib.request import Request, urlopen',
    '',
    'fields = [',
    ...lines,
    ']',
    'request = Request(',
    `    ${target},`,
    ...data,
    `    headers={"Authorization": ${inDoubleQuotes(`Bearer ${token}`)}},`,
    ')',
    'try:',
    '    answer = json.load(urlopen(request))',
    'except HTTPError as refusal:  # its body has the reason',
    '    answer = json.load(refusal)',
    'print(answer.get("id"), answer["result"]["code"], answer["result"]["description"])',
  ].join('\n');
}

/** @param {SampleRequest} request */
function php({ isRead, url, token, fields }) {
  const lines = fields.map(([name, value]) => `    ${forPhp(name)} => ${forPhp(value)},`);
  const target = isRead ? `${forPhp(`${url}?`)} . http_build_query($fields)` : forPhp(url);
  const body = [
    "    'method' => 'POST',",
    "    'content' => http_build_query($fields),",
    `    'header' => [${forPhp(`Authorization: Bearer ${token}`)}, 'Content-Type: application/x-www-form-urlencoded'],`,
  ];
  return [
    '<?php',
    '$fields = [',
    ...lines,
    '];',
    "$context = stream_context_create(['http' => [",
    ...(isRead ? [`    'header' => ${forPhp(`Authorization: Bearer ${token}`)},`] : body),
    "    'ignore_errors' => true, // the body of HTTP 400 has the reason",
    ']]);',
    `$answer = json_decode(file_get_contents(${target}, false, $context), true);`,
    "echo $answer['id'] ?? '', ' ', $answer['result']['code'], ' ', $answer['result']['description'], PHP_EOL;",
  ].join('\n');
}

/** @param {SampleRequest} request */
function java({ isRead, url, token, fields }) {
  const lines = fields.map(
    ([name, value], index) =>
      `        {${forJava(name)}, ${forJava(value)}}${index === fields.length - 1 ? '' : ','}`,
  );
  const target = isRead ? `${forJava(`${url}?`)} + fields` : forJava(url);
  return [
    'import static java.nio.charset.StandardCharsets.UTF_8;',
    '',
    'import java.net.URI;',
    'import java.net.URLEncoder;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    'import java.util.stream.Collectors;',
    'import java.util.stream.Stream;',
    '',
    'public class Sample {',
    '  public static void main(String[] arguments) throws Exception {',
    '    String[][] pairs = {',
    ...lines,
    '    };',
    '    String fields = Stream.of(pairs)',
    '        .map(pair -> URLEncoder.encode(pair[0], UTF_8) + "=" + URLEncoder.encode(pair[1], UTF_8))',
    '        .collect(Collectors.joining("&"));',
    `    HttpRequest request = HttpRequest.newBuilder(URI.create(${target}))`,
    `        .header("Authorization", ${forJava(`Bearer ${token}`)})`,
    ...(isRead
      ? []
      : [
          '        .header("Content-Type", "application/x-www-form-urlencoded")',
          '        .POST(HttpRequest.BodyPublishers.ofString(fields))',
        ]),
    '        .build();',
    '    // HTTP 400 is an answer too: its body has the reason.',
    '    HttpResponse<String> response =',
    '        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());',
    '    System.out.println(response.body());',
    '  }',
    '}',
  ].join('\n');
}

/** @type {readonly Language[]} */
export const languages = [
  { name: 'curl', write: curl },
  { name: 'JavaScript', write: javaScript },
  { name: 'Python', write: python },
  { name: 'PHP', write: php },
  { name: 'Java', write: java },
];
