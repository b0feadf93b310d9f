// How the index is made and asked: the same words in the build and in the browser.
const separators = /[\s\-_/.,:;!?'"`()[\]{}<>=|*#$&+…·→“”«»]+/u;

/** `RECRUITING_PUBLIC_API_DOCS` and `listJobs` are found by their parts too. */
const tokenize = (text) => {
  const words = text.split(/\s+/).flatMap((word) => [word.replace(/^\W+|\W+$/g, ''), ...word.replace(/([a-z])([A-Z])/g, '$1 $2').split(separators)]);
  return [...new Set(words.filter(Boolean))];
};

// Words of a question that name no subject.
const stop_words = new Set(['an', 'and', 'are', 'as', 'at', 'be', 'by', 'can', 'do', 'does', 'for', 'from', 'get', 'has', 'have', 'how', 'if', 'in', 'is',
  'it', 'its', 'me', 'my', 'of', 'on', 'or', 'our', 'should', 'that', 'the', 'their', 'there', 'this', 'to', 'was', 'we', 'what', 'when', 'where', 'which',
  'while', 'who', 'why', 'will', 'with', 'you', 'your']);

// Reasons and history come after the pages that say how things are.
const background = /^(decisions\/|project\/changelog|performance)/;

export const options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'url'],
  tokenize,
  processTerm: (term) => {
    const word = term.toLowerCase();
    return term.length > 1 && term.length < 60 && !stop_words.has(word) ? word : null;
  },
  searchOptions: {
    boost: { title: 4, page: 2 },
    boostDocument: (id) => (background.test(id) ? 0.4 : 1),
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    combineWith: 'AND',
  },
};

const most_per_page = 3;
const page_of = ({ url }) => url.split('#')[0];

/** Places for a query, the best first: those with all its words, and for a question of several words those with some of them. */
export const find = (index, query) => {
  const all = index.search(query);
  const some = /\S\s+\S/.test(query) ? index.search(query, { combineWith: 'OR' }) : [];
  const known = new Set(all.map(({ id }) => id));
  const counts = new Map();
  return [...all, ...some.filter(({ id }) => !known.has(id))].filter((one) => {
    const count = (counts.get(page_of(one)) ?? 0) + 1;
    counts.set(page_of(one), count);
    return count <= most_per_page;
  });
};
