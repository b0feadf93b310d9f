// Text into HTML, and out of it.
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const characters = Object.fromEntries(Object.entries(entities).map(([character, entity]) => [entity, character]));

export const escape = (text) => String(text).replace(/[&<>"]/g, (character) => entities[character]);
export const unescape = (text) => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity]);
/** What a reader sees of it, on one line. */
export const text_of = (html) => unescape(html.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ').trim();
/** The pieces there are, a line each. */
export const lines = (...pieces) => pieces.flat(Infinity).filter(Boolean).join('\n');
