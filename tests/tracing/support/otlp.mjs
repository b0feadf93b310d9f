// An export as a collector reads it: held against OpenTelemetry's own message types.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const { opentelemetry } = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const message = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const later = new Set(['flags']); // of opentelemetry-proto 1.1: these types may be older
const ids = new Set(['traceId', 'spanId', 'parentSpanId']);

/** OTLP's JSON has ids in hex where protobuf's has base64; what is empty is not told apart from what is absent. */
const as_protobuf_json = (value, key) => {
  if (ids.has(key)) {
    assert.match(value, key === 'traceId' ? /^[0-9a-f]{32}$/ : /^[0-9a-f]{16}$/, key);
    return Buffer.from(value, 'hex').toString('base64');
  }
  if (Array.isArray(value)) return value.map((one) => as_protobuf_json(one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => !later.has(name) && !(Array.isArray(one) && one.length === 0))
    .map(([name, one]) => [name, as_protobuf_json(one, name)]));
};

const plain = ({ key, value }) => {
  const [[type, held]] = Object.entries(value);
  return [key, type === 'intValue' ? Number(held) : held];
};

/** The spans of a request's body; throws where it is not what OTLP says. Whatever the types do not know would be lost on the way through them. */
export const read_export = (body) => {
  const given = JSON.parse(body);
  const wanted = as_protobuf_json(given);
  const through = message.decode(message.encode(message.fromObject(wanted)).finish());
  assert.deepEqual(message.toObject(through, { longs: String, bytes: String }), wanted);
  return given.resourceSpans.flatMap(({ resource, scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map((span) => {
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano), 'a span ends before it begins');
    assert.ok(Math.abs(Number(BigInt(span.startTimeUnixNano) / 1_000_000n) - Date.now()) < 600_000, 'a span of another day');
    assert.ok(span.kind >= 1 && span.kind <= 5);
    assert.equal(span.flags & 1, 1);
    const attributes = Object.fromEntries(span.attributes.map(plain));
    assert.equal(Object.keys(attributes).length, span.attributes.length, `an attribute twice: ${JSON.stringify(span.attributes)}`);
    return { ...span, attributes, resource: Object.fromEntries(resource.attributes.map(plain)) };
  })));
};
