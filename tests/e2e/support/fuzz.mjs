// Requests nobody would send, made from the OpenAPI documents: the same seed and known values give the same requests.
import { readFileSync } from 'node:fs';
import { make_random } from '../../support/random.mjs';
import { json_path } from './openapi_json.mjs';

const naughty = JSON.parse(readFileSync(new URL('../../vectors/naughty_strings.json', import.meta.url), 'utf8'));

const resolve = (document, value) => {
  if (!value?.$ref) return value;
  return resolve(document, value.$ref.slice(2).split('/').reduce((at, name) => at[name], document));
};

/** Every operation of the document: method, path with its prefix, parameters, media type of the body. */
const operations_of = (name) => {
  const document = JSON.parse(readFileSync(json_path(name), 'utf8'));
  const prefix = document.servers[0].url;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).filter(([method]) => method !== 'parameters').map(([method, operation]) => {
      const body = resolve(document, operation.requestBody);
      return {
        to: name,
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path: prefix + path,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => resolve(document, one)),
        body: body && resolve(document, body.content['application/json'].schema),
        document,
      };
    }));
};

const strange_numbers = ['0', '-1', '1', '201', '9007199254740993', '1e400', '-0', '١٢', '0x10', '1.5', ' 7', '99999999999999999999999'];
const strange_times = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '2026-02-30T00:00:00Z', '2026-11-22', '2026-11-22T24:00:00Z', '2026-11-22T10:00:60Z', '2026-11-22T10:00:00+23:59', '2026-11-22T10:00Z'];

const plain_times = ['2026-01-01T00:00:00Z', '2026-06-30T12:00:00.5Z', '2026-11-25T10:00:00+00:00', '2030-01-01T00:00Z'];

/**
 * One after the other: {to, operation, method, text (bytes as latin1), complete (nothing of it was damaged)}. known: jobs,
 * candidates, stages and members (ids), slugs, keys (secrets), sessions ({cookie, csrf}).
 */
export const make_requests = (seed, known) => {
  const { jobs, candidates, stages, members, slugs, keys, sessions } = known;
  const ids = [...jobs, ...candidates, ...stages, ...members];
  const { between, chance, pick: one_of } = make_random(seed);
  const below = (limit) => between(0, limit - 1);
  const every_operation = ['auth_api', 'public_api', 'console'].flatMap(operations_of);
  const operations = every_operation.filter(({ method }) => method !== 'OPTIONS');

  let strange = 0.4; // the share of a request that is out of the ordinary: some are nearly well formed

  const bytes = (length) => Array.from({ length }, () => String.fromCharCode(below(256))).join('');
  const as_bytes = (text) => Buffer.from(text, 'utf8').toString('latin1');
  const strange_text = () => {
    if (chance(0.6)) return as_bytes(one_of(naughty));
    if (chance(0.3)) return bytes(below(40));
    if (chance(0.3)) return one_of(['a', '%', '%25', '"', ',', 'é', ' ']).repeat(below(chance(0.2) ? 3000 : 300));
    return one_of([...strange_numbers, ...strange_times, one_of(ids).toUpperCase(), '0'.repeat(32), `${one_of(ids)}${one_of(ids)}`]);
  };

  /** The id that a parameter of that name, in that path, most likely means. */
  const id_for = (name, path) => {
    const of = { jobId: jobs, stageId: stages, memberId: members, id: path.includes('/jobs/') ? jobs : candidates }[name];
    return one_of(chance(1 - strange) && of ? of : ids);
  };

  const value_for = (document, given, name = '') => {
    let schema = resolve(document, given) ?? {};
    if (schema.oneOf) schema = resolve(document, one_of(schema.oneOf));
    if (chance(strange)) return strange_text();
    if (schema.type === 'array') return Array.from({ length: 1 + below(chance(0.1) ? 80 : 4) }, () => value_for(document, schema.items, name)).join(',');
    if (schema.enum) return one_of(schema.enum);
    if (schema.type === 'boolean') return one_of(['true', 'false', '1', '']);
    if (schema.type === 'integer') return chance(0.5) ? String(1 + below(200)) : one_of(strange_numbers);
    if (schema.format === 'date-time') return one_of(chance(strange) ? strange_times : plain_times);
    if (schema.pattern?.includes('0-9a-f')) return id_for(name, '');
    return one_of([one_of(slugs), 'e', 'engineer', 'a b', 'zzzzzz', 'Europe/Berlin']);
  };

  const escaped = (text) => (chance(0.9) ? [...text].map((c) => (/[\w.~-]/.test(c) ? c : `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`)).join('') : text.replace(/[\s#]/g, ''));

  const path_of = (operation) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name) => {
      if (chance(strange / 2)) return escaped(strange_text());
      return name === 'slug' ? one_of(slugs) : id_for(name, operation.path);
    });

  const query_of = (operation) => {
    const tokens = chance(strange) ? [] : ['cursor', 'syncToken'];
    const documented = operation.parameters.filter((one) => one.in === 'query' && !tokens.includes(one.name));
    const pairs = [];
    for (let i = below(chance(strange / 4) ? 60 : 4); i > 0; i -= 1) {
      if (documented.length === 0 && chance(1 - strange)) break;
      const parameter = documented.length > 0 && chance(1 - strange / 3) ? one_of(documented) : { name: strange_text() };
      pairs.push(`${escaped(parameter.name)}=${escaped(value_for(operation.document, parameter.schema, parameter.name))}`);
    }
    return pairs.length > 0 ? `?${pairs.join(one_of(['&', '&', '&', ';', '&&']))}` : '';
  };

  const authorization = () => {
    if (chance(strange / 4)) return '';
    if (chance(strange / 3)) return `Authorization: ${one_of(['Basic eDp5', 'Bearer', `Bearer ${one_of(ids)}`, 'Bearer sp_test_', strange_text()]).replace(/[\r\n\0]/g, '')}\r\n`;
    return `Authorization: Bearer ${one_of(keys)}\r\n`;
  };

  const of_a_session = ({ operationId }) => {
    const { cookie, csrf } = one_of(sessions);
    const lines = [`Cookie: ${cookie}\r\n`, 'Sec-Fetch-Site: same-origin\r\n'];
    // What would end the sessions stays refused: the requests after it want them.
    if (!/^end/.test(operationId)) lines.push(`X-CSRF-Token: ${csrf}\r\n`);
    return lines.filter(() => chance(1 - strange / 4)).join('');
  };

  const fields_of = (operation) => {
    let fields = { auth_api: authorization, console: of_a_session }[operation.to]?.(operation) ?? '';
    const own = operation.parameters.filter((one) => one.in === 'header').map((one) => one.name);
    const names = [...own, 'Accept', 'Accept', 'Accept-Encoding', 'If-None-Match', 'Cookie', 'X-Forwarded-For', 'Origin', 'Range', 'Idempotency-Key', ...(chance(strange) ? ['Expect', 'Host', 'Connection'] : [])];
    for (let i = below(1 + Math.ceil(8 * strange)); i > 0; i -= 1) {
      const plain = { Accept: ['text/csv', 'application/x-ndjson', 'application/problem+json', 'text/html', '*/*;q=0'], 'Accept-Encoding': ['gzip', 'identity;q=0', 'br, gzip;q=0.5'] };
      const name = one_of(names);
      const value = chance(0.5) && plain[name] ? one_of(plain[name]) : strange_text().slice(0, 2000);
      fields += `${name}: ${value.replace(/[\r\n\0]/g, '')}\r\n`;
    }
    return fields;
  };

  const json_value = (schema, document, depth = 0) => {
    if (chance(strange) || depth > 4) {
      return one_of([null, true, 0, -1, 1e308, '', [], {}, [[[[[[]]]]]], { email: {} }, one_of(naughty), 'x'.repeat(below(5000)), one_of(ids), '2026-11-22T10:00:00Z', 'a@b.example']);
    }
    const described = resolve(document, schema) ?? {};
    if (described.const !== undefined) return described.const;
    if (described.enum) return one_of(described.enum);
    if (described.items) return Array.from({ length: below(4) }, () => json_value(described.items, document, depth + 1));
    if (described.properties) {
      return Object.fromEntries(Object.entries(described.properties).filter(([name]) => (name === 'sessionId' ? chance(0.1) : chance(1 - strange / 2))).map(([name, one]) => [name, json_value(one, document, depth + 1)]));
    }
    return one_of(['Hello', 'Which jobs are open?', `List candidates of ${one_of(ids)}`, 'a@b.example', '2026-11-25T10:00:00Z', one_of(naughty)]);
  };

  const body_of = (operation) => {
    if (!operation.body && chance(1 - strange / 4)) return '';
    if (chance(strange / 3)) return bytes(below(300));
    if (chance(strange / 4)) return '['.repeat(below(20_000));
    if (chance(strange / 8)) return `{"prompt":"${'\\u0000'.repeat(below(100))}"`;
    let text = JSON.stringify(json_value(operation.body ?? {}, operation.document)) ?? '';
    if (chance(strange / 4)) text = text.replace('{', `{"prompt":1${strange_numbers[below(12)]},`);
    if (chance(strange / 4)) text = text.slice(0, below(text.length + 1));
    return as_bytes(text);
  };

  const framed = (body) => {
    if (chance(0.8)) return [`Content-Length: ${body.length}\r\n`, body];
    let [left, chunks] = [body, ''];
    while (left) {
      const size = 1 + below(left.length);
      chunks += `${size.toString(16)}\r\n${left.slice(0, size)}\r\n`;
      left = left.slice(size);
    }
    return ['Transfer-Encoding: chunked\r\n', `${chunks}0\r\n\r\n`];
  };

  /** Bytes changed, taken out, doubled or put in: it may be HTTP no more. */
  const mutated = (text) => {
    let out = text;
    for (let i = 1 + below(4); i > 0; i -= 1) {
      const at = below(out.length);
      const [before, after] = [out.slice(0, at), out.slice(at)];
      out = one_of([
        () => before + bytes(1) + after.slice(1),
        () => before + after.slice(1 + below(20)),
        () => before + after.slice(0, 30) + after,
        () => before + one_of(['\r\n', '\n', '\0', ' ', ':', '\r\n\r\n', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n']) + after,
      ])();
    }
    return out;
  };

  return {
    next() {
      strange = one_of([0.02, 0.1, 0.4]);
      const operation = one_of(chance(0.95) ? operations : every_operation);
      const method = chance(1 - strange / 5) ? operation.method : one_of(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']);
      const body = body_of(operation);
      const [framing, content] = body || chance(strange / 4) ? framed(body) : ['', ''];
      const type = body && chance(0.9) ? 'Content-Type: application/json\r\n' : '';
      const text = `${method} ${path_of(operation)}${query_of(operation)} HTTP/1.1\r\nHost: x\r\n${fields_of(operation)}${type}${framing}\r\n${content}`;
      const complete = chance(0.85);
      return { to: operation.to, operation: `${operation.method} ${operation.path}`, method, complete, text: complete ? text : mutated(text) };
    },
  };
};
