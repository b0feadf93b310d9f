// How the index is made and asked: the same words in the build and in the browser.
const separators = /[\s\-_/.,:;!?'"`()[\]{}<>=|*#$&+…·→“”«»]+/u;

/** `RECRUITING_PUBLIC_API_DOCS` and `listJobs` are found by their parts too. */
const tokenize = (text) => {
  const words = text.split(/\s+/).flatMap((word) => [word.replace(/^\W+|\W+$/g, ''), ...word.replace(/([a-z])([A-Z])/g, '$1 $2').split(separators)]);
  return [...new Set(words.filter(Boolean))];
};

export const options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'url'],
  tokenize,
  processTerm: (term) => (term.length > 1 && term.length < 60 ? term.toLowerCase() : null),
  searchOptions: { boost: { title: 4, page: 2 }, prefix: (term) => term.length > 2, fuzzy: (term) => (term.length > 5 ? 0.15 : false), combineWith: 'AND' },
};
