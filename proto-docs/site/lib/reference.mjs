// The pages of one API: an overview, a page a tag, the records.
import { escape, lines, text_of } from './html.mjs';
import { code_block } from './highlight.mjs';
import { render_inline, render_words, slug } from './markdown.mjs';
import { relative } from './pages.mjs';
import { kind_of, render_parameters, render_schema } from './schema.mjs';

const heading = (level, id, html) => `<h${level} id="${escape(id)}">${html} <a class="anchor" href="#${escape(id)}" aria-hidden="true" tabindex="-1">#</a></h${level}>`;
const capitalised = (text) => text[0].toUpperCase() + text.slice(1);
const pretty = (value) => code_block(`${JSON.stringify(value, null, 2)}\n`, 'json');
// Bodies that are not JSON are shown as they are sent.
const shown = (value, type) => (typeof value === 'string' ? code_block(value.replaceAll('\r', ''), /xml$/.test(type) ? 'xml' : 'text') : pretty(value));

const route_line = ({ method, path }) =>
  `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escape(path).replace(/\//g, '/<wbr>')}</code></p>`;

const role_part = (role, of_whom) => (role ? `, ${of_whom} has the role <code>${escape(role)}</code>` : '');
const scope_part = (scope, before, otherwise) => (scope ? `${before} <code>${escape(scope)}</code>` : otherwise);
const needs = ({ needs_credential, by_session, 'x-required-scope': scope, 'x-required-role': role }) => {
  if (!needs_credential) return `<p class="needs">Needs no ${by_session ? 'session' : 'key'}.</p>`;
  return by_session
    ? `<p class="needs">Needs ${scope_part(scope, 'a session with the scope', 'any session')}${role_part(role, 'whose member')}.</p>`
    : `<p class="needs">Needs ${scope_part(scope, 'a key with the scope', 'any valid key')}${role_part(role, 'whose owner')}.</p>`;
};

const places = { path: 'In the path', query: 'In the query', header: 'Headers' };
const parameters_part = ({ parameters }, to) => Object.entries(places).map(([place, title]) => {
  const those = parameters.filter((one) => one.in === place);
  return those.length === 0 ? '' : lines(`<h3>${title}</h3>`, render_parameters(those, to, 'Parameter'));
});

const examples_of = ({ example, examples }) => (example !== undefined ? [['', example]] : Object.entries(examples ?? {}).map(([name, { value }]) => [name, value]));

const body_part = (type, media, to) => lines(
  `<p><code>${escape(type)}</code>${media.schema.$ref ? `: ${kind_of(media.schema, to)}` : ''}</p>`,
  !media.schema.$ref && media.schema.type !== 'string' && render_schema(media.schema, to),
  examples_of(media).map(([name, value]) => lines(name && `<p class="example">Example: ${escape(name.replace(/_/g, ' '))}</p>`, shown(value, type))),
);
const bodies = (content, to) => Object.entries(content ?? {}).map(([type, media]) => body_part(type, media, to));

const attempt_part = ({ attempt }) => attempt && lines(
  `<h3>Try it</h3>`,
  code_block(`${attempt.text}\n`, 'bash').replace('<pre', `<pre data-try="${attempt.status}"`),
  `<p class="answered">Answered with ${attempt.status}.</p>`,
);

const answer_part = (answer, to) => lines(
  `<h3>Answer ${escape(answer.name)}</h3>`,
  `<p>${render_inline(answer.description)}</p>`,
  bodies(answer.content, to),
  answer.headers?.length > 0 && lines('<details><summary>Headers</summary>', render_parameters(answer.headers, to, 'Header'), '</details>'),
);

// All errors have one form: their examples are on the overview.
const refusals_part = (answers, errors) => lines(
  '<h3>Errors</h3>',
  '<div class="table" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">When</th></tr></thead><tbody>',
  answers.map(({ name, description }) => `<tr><th scope="row">${escape(name)}</th><td>${render_inline(description)}</td></tr>`),
  `</tbody></table></div><p><a href="${escape(errors)}">The form of an error, and what a client does about each</a>.</p>`,
);

const operation_part = (operation, to, errors) => {
  const good = operation.answers.filter(({ name }) => /^[23]/.test(name));
  return lines(
    `<section class="operation">`,
    heading(2, operation.id, escape(operation.summary)),
    route_line(operation), needs(operation), render_words(operation.description),
    attempt_part(operation),
    parameters_part(operation, to),
    operation.request && lines('<h3>Body</h3>', bodies(operation.request.content, to)),
    good.map((answer) => answer_part(answer, to)),
    refusals_part(operation.answers.filter(({ name }) => /^[45]/.test(name)), errors),
    '</section>',
  );
};

// Browsers ask before they send: the same on every path.
const preflight_part = (operation) => lines(
  `<details id="${escape(operation.id)}"><summary><code>OPTIONS ${escape(operation.path)}</code></summary>`,
  attempt_part(operation).replace('<h3>Try it</h3>\n', ''), '</details>',
);
const preflights_part = (operations, to) => operations.length === 0 ? '' : lines(
  heading(2, 'preflights', 'CORS preflights'),
  '<p>What a browser asks before a page of another origin may send its request. Needs no key, and is not counted.</p>',
  operations.map(preflight_part),
  answer_part(operations[0].answers.find(({ name }) => name === '204'), to),
);

const heading_of = (level, id, text) => ({ level, id, text });

const tag_page = (api, tag, frame) => {
  const path = `${frame.folder}/${slug(tag.name)}.html`;
  const to = (name) => relative(path, `${frame.folder}/records.html#${name}`);
  const own = api.operations.filter((operation) => operation.tag === tag.name);
  const calls = own.filter(({ method }) => method !== 'OPTIONS');
  const preflights = own.filter(({ method }) => method === 'OPTIONS');
  const title = `${frame.title}: ${tag.name}`;
  const html = lines(
    `<h1>${escape(capitalised(tag.name))}</h1>`, `<p>${render_inline(tag.description)}.</p>`,
    calls.map((operation) => operation_part(operation, to, relative(path, 'errors.html'))),
    preflights_part(preflights, to),
  );
  const headings = calls.map(({ id, summary }) => heading_of(2, id, summary));
  if (preflights.length > 0) headings.push(heading_of(2, 'preflights', 'CORS preflights'));
  return { path, title, label: capitalised(tag.name), section: frame.title, kind: 'reference', parent: `${frame.folder}/index.html`, html, headings };
};

const records_page = (api, frame) => {
  const path = `${frame.folder}/records.html`;
  const to = (name) => `#${name}`;
  const html = lines(
    '<h1>Records</h1>', '<p>What answers and bodies are made of, by name. A missing value is <code>null</code>, never an absent field, unless it says optional.</p>',
    Object.entries(api.schemas).map(([name, schema]) => lines(
      heading(2, name, `<code>${escape(name)}</code>`), schema.description && `<p>${render_inline(schema.description)}</p>`,
      render_schema(schema, to),
      schema.examples?.map((value) => pretty(value)),
    )),
  );
  const headings = Object.keys(api.schemas).map((name) => heading_of(2, name, name));
  return { path, title: `${frame.title}: records`, label: 'Records', section: frame.title, kind: 'reference', parent: `${frame.folder}/index.html`, html, headings };
};

const tag_list = (api, tag, frame, path) => lines(
  heading(2, slug(tag.name), `<a href="${escape(relative(path, `${frame.folder}/${slug(tag.name)}.html`))}">${escape(capitalised(tag.name))}</a>`),
  `<p>${render_inline(tag.description)}.</p>`,
  '<ul class="operations">',
  api.operations.filter(({ tag: of, method }) => of === tag.name && method !== 'OPTIONS').map((operation) =>
    `<li><a href="${escape(relative(path, `${frame.folder}/${slug(tag.name)}.html#${operation.id}`))}">${escape(operation.summary)}</a>${route_line(operation).replace('<p', '<span').replace('</p>', '</span>')}</li>`),
  '</ul>',
);

const downloads = (path, frame) => ['yaml', 'json'].map((ending) =>
  `<a href="${escape(relative(path, `openapi/${frame.name}.${ending}`))}" download>${frame.name}.${ending}</a>`).join(', ');

const error_part = (api, to) => {
  // One code of a 400 shows both forms.
  const first = ([type, { schema, examples }]) => [type, { schema, example: Object.values(examples)[0].value }];
  const content = Object.fromEntries(Object.entries(api.an_error.content).map(first));
  return lines(
    heading(2, 'errors', 'Errors'), '<p>Every error has one of these two forms; here of a 400.</p>', bodies(content, to),
    heading(2, 'unmatched', 'Paths and methods that are not there'), api.unmatched.map((answer) => answer_part({ ...answer, content: undefined }, to)),
  );
};

// The document names the pages beside it.
const with_links = (text) => text.replace(/`(\w+)\.md`/g, '[$1]($1.md)').replace(' beside this document', '');

const overview_page = (api, frame) => {
  const path = `${frame.folder}/index.html`;
  const to = (name) => relative(path, `${frame.folder}/records.html#${name}`);
  const { info, servers, components } = api.document;
  const security = Object.values(components.securitySchemes ?? {})[0];
  const html = lines(
    `<h1>${escape(frame.title)}</h1>`, `<p class="lead">${render_inline(info.summary)}</p>`,
    `<p>Below <code>${escape(servers[0].url)}</code> of the gateway. OpenAPI ${escape(api.document.openapi)}, version ${escape(info.version)}: ${downloads(path, frame)}.</p>`,
    render_words(with_links(info.description), (name) => ({ href: relative(path, name.replace(/\.md$/, '.html')) })),
    security && lines(heading(2, 'authentication', 'Authentication'), `<p>${render_inline(security.description)}</p>`),
    api.tags.map((tag) => tag_list(api, tag, frame, path)),
    error_part(api, to),
  );
  const headings = [...html.matchAll(/<h2 id="([^"]+)">(.*?) <a class="anchor"/g)].map(([, id, inner]) => heading_of(2, id, text_of(inner)));
  return { path, title: frame.title, label: frame.title, section: 'Use the API', kind: 'reference', html, headings };
};

/** api: of read_document; frame: { name, folder, title }. */
export const reference_pages = (api, frame) => [overview_page(api, frame), ...api.tags.map((tag) => tag_page(api, tag, frame)), records_page(api, frame)];
