// Chunk sizes, extensions, data and trailers (RFC 9112 section 7.1). A fault in them is found while the body is on its
// way: the service never gets the end of it.
import { chunked, forwarded_chunks, passed, refused, run_cases } from './support/cases.mjs';

const good = (name, body, ...pieces) => passed(name, chunked(body), forwarded_chunks(...pieces));
const bad = (name, body, status = 400) => ({ ...refused(name, chunked(body), status), saw: undefined, unfinished: true });
const data = '5\r\nhello\r\n';
const last = '0\r\n\r\n';
const cut = (text) => text.split(/(?=[^])/);

const rows = [
  good('no chunk but the last', last),
  good('chunks of one read are joined', `${data}1\r\n \r\n5\r\nworld\r\n${last}`, 'hello world'),
  good('sizes in hexadecimal of any case', `0a\r\n`.slice(1) + `0123456789\r\nB\r\n0123456789A\r\n${last}`, '01234567890123456789A'),
  good('data may hold what looks like an end', `9\r\n\r\n0\r\n\r\n..\r\n${last}`, '\r\n0\r\n\r\n..'),
  { ...passed('in single bytes', [...cut(chunked(`5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n`))], undefined), whole: 'hello' },
  passed('no chunk but the last, in single bytes', [...cut(chunked(last))], forwarded_chunks()),
  good('an extension is read over', `5;name\r\nhello\r\n${last}`, 'hello'),
  good('an extension with a value', `5;name=value;b=c\r\nhello\r\n0;end\r\n\r\n`, 'hello'),
  good('an extension with a quoted value', `5;a="b; c=\\"d\\" \x80"\r\nhello\r\n${last}`, 'hello'),
  good('trailers are read over', `${data}0\r\nX-Sum: 1\r\nX-More:\t2 \r\n\r\n`, 'hello'),
  good('a trailer that frames a body frames nothing', `${data}0\r\nContent-Length: 50\r\n\r\n`, 'hello'),
  good('a trailer that authorizes authorizes nothing', `${data}0\r\nAuthorization: Bearer x\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n`, 'hello'),

  ...[['no digit', '\r\nhello\r\n'], ['a letter that is no digit', 'g\r\n'], ['a minus', '-5\r\nhello\r\n'], ['a plus', '+5\r\nhello\r\n'], ['0x', '0x5\r\nhello\r\n'],
    ['an underscore', '5_0\r\nhello\r\n'], ['a leading zero', '05\r\nhello\r\n'], ['a last chunk of two zeros', '00\r\n\r\n'], ['a blank before', ' 5\r\nhello\r\n'],
    ['a blank after', '5 \r\nhello\r\n'], ['a tab after', '5\t\r\nhello\r\n'], ['16 digits', '1000000000000005\r\nhello\r\n'], ['17 digits, which wrap', '10000000000000005\r\nhello\r\n'],
    ['a comma', '5,5\r\nhello\r\n'], ['a point', '5.0\r\nhello\r\n'], ['an h', '5h\r\nhello\r\n'], ['a NUL', '5\0\r\nhello\r\n'], ['a bare LF', '5\nhello\n0\n\n'],
    ['a bare CR', '5\rhello\r\n'], ['two CRs', '5\r\r\nhello\r\n'], ['LF CR', '5\n\rhello\r\n']].map(([name, text]) => bad(`a size with ${name}`, `${text}${last}`)),

  ...[['no name', '5;\r\n'], ['a blank before it', '5 ;a\r\n'], ['a blank after the semicolon', '5; a\r\n'], ['a bare LF', '5;a\nb\r\n'], ['a bare CR', '5;a\rb\r\n'], ['a bare LF at its end', '5;a\n'],
    ['an empty value', '5;a=\r\n'], ['an open quote', '5;a="b\r\n'], ['a quote within a value', '5;a=b"c"\r\n'], ['text after a quote', '5;a="b"c\r\n'], ['a line break in quotes', '5;a="\r\n"\r\n'],
    ['an escaped line break in quotes', '5;a="\\\r\n"\r\n'], ['a NUL', '5;a\0\r\n'], ['a control character in quotes', '5;a="\x01"\r\n'], ['two semicolons', '5;;a\r\n'], ['an equals sign alone', '5;=a\r\n'],
    ['a bare LF in quotes', '5;a="\n"\r\n'], ['an escaped bare LF in quotes', '5;a="\\\n"\r\n'], ['a blank before the equals sign', '5;a =b\r\n'], ['a tab after the equals sign', '5;a=\tb\r\n'],
    ['a byte above 7F in its name', '5;\xe9\r\n'], ['more bytes than the limit', `5;a=${'b'.repeat(2000)}\r\n`]].map(([name, text]) => bad(`an extension with ${name}`, `${text}hello\r\n${last}`)),
  bad('many extensions, each small', `${`1;a=${'b'.repeat(60)}\r\nx\r\n`.repeat(40)}${last}`),

  bad('an open quote in the last chunk', `${data}0;a="b\r\n\r\n`),
  bad('a size with many leading zeros', `0000000005\r\nhello\r\n${last}`),
  bad('a trailer whose value begins on the next line', `${data}0\r\nX:\r\n y\r\n\r\n`),

  bad('data longer than its size', `5\r\nhelloX\r\n${last}`),
  bad('data shorter than its size', `6\r\nhello\r\n${last}`),
  bad('data that ends with a bare LF', `5\r\nhello\n${last}`),
  bad('data that ends with a bare CR', `5\r\nhello\r${last}`),
  bad('data that ends with a blank', `5\r\nhello \r\n${last}`),
  bad('data without its CRLF', `5\r\nhello${last}`),

  ...[['no colon', 'X\r\n'], ['no name', ': y\r\n'], ['a blank before the colon', 'X : y\r\n'], ['a blank before the name', ' X: y\r\n'], ['a fold', 'X: y\r\n z\r\n'], ['a bare LF', 'X: y\n'],
    ['a bare CR', 'X: y\rz\r\n'], ['a NUL', 'X: \0\r\n'], ['a control character', 'X: \x01\r\n'], ['a byte above 7F in its name', 'X\xe9: y\r\n'], ['two CRs', 'X: y\r\r\n']]
    .map(([name, text]) => bad(`a trailer with ${name}`, `${data}0\r\n${text}\r\n`)),
  bad('a body that ends with a bare LF', `${data}0\r\n\n`),
  bad('a body that ends with CR and no LF', `${data}0\r\n\rX`),
  bad('a trailer beyond the limit of bytes', `${data}0\r\nX: ${'y'.repeat(9000)}\r\n\r\n`, 431),
  bad('trailers beyond the limit of their number', `${data}0\r\n${'X: y\r\n'.repeat(33)}\r\n`, 431),
  bad('a body larger than its limit', `${'10000\r\n' + 'x'.repeat(65536) + '\r\n'}`.repeat(17) + last, 413),
];

run_cases(rows);
