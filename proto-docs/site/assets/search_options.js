// How the search index is made and asked: the same in the build and in the browser.
// Words of a question that name no subject.
const stop_words = new Set(('an and are as at be by can do does for from get has have how if in is it its me my of on or our should that the their there '
  + 'this to was we what when where which while who why will with you your').split(' '));

export const options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'url'],
  processTerm: (term) => (term.length > 1 && term.length < 60 && !stop_words.has(term.toLowerCase()) ? term.toLowerCase() : null),
  searchOptions: {
    boost: { title: 4, page: 2 },
    // Reasons and history come after the pages that say how things are.
    boostDocument: (id) => (/^(decisions\/|project\/changelog|performance)/.test(id) ? 0.4 : 1),
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
  },
};

/** Places for a query, the best first, at most three per page: those with all its words, and for a question those with some. */
export const find = (index, query) => {
  const all = index.search(query, { combineWith: 'AND' });
  const some = /\S\s+\S/.test(query) ? index.search(query).filter(({ id }) => !all.some((one) => one.id === id)) : [];
  const counts = {};
  return [...all, ...some].filter(({ page }) => (counts[page] = (counts[page] ?? 0) + 1) <= 3);
};
