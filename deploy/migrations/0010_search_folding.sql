-- How candidates, tags and jobs are found whatever the case, the accents and the form of letters, and inside the words of scripts
-- that have no spaces.

-- Unicode's rules for letters, whatever the locale of the database is.
CREATE COLLATION recruiting.unicode (provider = icu, locale = 'und');
ALTER COLLATION recruiting.unicode OWNER TO recruiting_owner;

-- What searches compare: text in lower case, without accents, invisible characters and differences of width (NFKD), and with a
-- plain letter for each that does not decompose, or that has another form at the end of words. public-api folds jobs in memory by
-- the same tables (libs/words/search_key.cpp), and a test compares both for every character. A change of what this returns, or of
-- how search_runs and terms_of_candidate split it, needs another number in search_folding_version.
CREATE OR REPLACE FUNCTION recruiting.search_key(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    key text;
BEGIN
    IF octet_length(value) = length(value) THEN -- ASCII
        RETURN lower(value COLLATE "C");
    END IF;
    key := regexp_replace(lower(normalize(value, NFKD) COLLATE recruiting.unicode),
        '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640'
        '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0730-\u074a\u07eb-\u07f3\u180b-\u180f'
        '\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff'
        '\U000e0100-\U000e01ef]', '', 'g');
    IF octet_length(key) = length(key) THEN
        RETURN key;
    END IF;
    key := translate(key,
        'ⱥƀɓƈȼđðɖɗəɛɇǝƒɠɣħⱨıɨɩȷɉƙłƚⱡŋɲøɔɵƥĸɍŧƭʈⱦʉʊʋƴɏƶȥ'
        'ςךםןףץ'
        'ґғҕҗҙқҝҟҡңҥөҧҫҭүұҳҷҹ'
        '’‘ʼʻ',
        'abbccddddeeeefgghhiiijjklllnnooopqrttttuuvyyzz'
        'σכמנפצ'
        'гггжзккккннопстуухчч'
        '''''''''');
    RETURN normalize(replace(replace(replace(replace(key, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NFC);
END $$;

-- Letters of what is written without spaces between words, as a regular expression's class takes them: Thai, Lao, Myanmar, Hangul,
-- Khmer, kana, Bopomofo, Han.
CREATE FUNCTION recruiting.unspaced_letters() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109d'
           '\u1100-\u11ff\u1780-\u17d3\u17d7\u17dc\u17dd\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa'
           '\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\ua9e0-\ua9ef'
           '\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f\uac00-\ud7fb\ufa0e-\ufa29\U00020000-\U0003ffff';

-- The words of a search_key in their order (place), one row each. Letters that are written without spaces are runs of their own,
-- `unspaced`, with one row for each letter where a piece may start. Vowel signs of other scripts are letters of their words.
-- PostgreSQL inlines it where its argument is a column, which imports notice, and expects few rows of unnest.
CREATE FUNCTION recruiting.search_runs(key text)
    RETURNS TABLE (run text, place bigint, unspaced boolean, start integer) LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT r.run, r.place, r.unspaced, s.start::integer
    FROM (SELECT w.word, w.place, CASE WHEN octet_length(w.word) = length(w.word) THEN false -- ASCII
                                       ELSE w.word ~ ('^[' || recruiting.unspaced_letters() || ']') END
          FROM unnest(regexp_split_to_array(
                   CASE WHEN octet_length(key) = length(key) THEN key
                        ELSE regexp_replace(key, '([' || recruiting.unspaced_letters() || ']+)', ' \1 ', 'g') END
                        COLLATE recruiting.unicode,
                   CASE WHEN octet_length(key) = length(key) THEN '[^a-z0-9]+'
                        ELSE '[^[:alnum:]\u0780-\u07b1\u0900-\u0963\u0966-\u0dff\u0f71-\u0f84' || recruiting.unspaced_letters()
                             || ']+' END)) WITH ORDINALITY AS w (word, place)
          WHERE w.word <> '') AS r (run, place, unspaced),
         LATERAL unnest(CASE WHEN r.unspaced THEN string_to_array(r.run, NULL) ELSE ARRAY[r.run] END)
             WITH ORDINALITY AS s (letter, start);
END;

-- A query finds the beginning of a word; of what is written without spaces, also what is inside. Each letter of such a run
-- therefore begins a term, of eight letters at most: a text makes no more terms than it has letters. search_words cuts longer
-- runs of a query into pieces of eight, which all must be found.
CREATE OR REPLACE FUNCTION recruiting.terms_of_candidate(name text, email text, title text, company text, tags text[])
    RETURNS TABLE (kind "char", term text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT 'w'::"char", CASE WHEN r.unspaced THEN substr(r.run, r.start, 8) ELSE r.run END
    FROM (SELECT recruiting.search_key(concat_ws(' ', name, email, title, company)) AS key OFFSET 0) AS k,
         LATERAL recruiting.search_runs(k.key) AS r
    UNION
    SELECT 't'::"char", recruiting.search_key(tag) FROM unnest(tags) AS tag;
END;

-- The words of q, as the words of a candidate are split: the first eight. What folds to nothing, such as an accent by itself, is
-- no word. The last piece of a longer run has eight letters, too: it begins in the piece before.
CREATE OR REPLACE FUNCTION recruiting.search_words(value text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(array_agg(w.word ORDER BY w.first), '{}')
    FROM (SELECT p.word, min(p.place) AS first
          FROM (SELECT CASE WHEN r.unspaced THEN substr(r.run, least(r.start, greatest(length(r.run) - 7, 1)), 8)
                            ELSE r.run END AS word,
                       row_number() OVER (ORDER BY r.place, r.start) AS place
                FROM (SELECT recruiting.search_key(value) AS key OFFSET 0) AS k,
                     LATERAL recruiting.search_runs(k.key) AS r
                WHERE r.start % 8 = 1) AS p
          GROUP BY p.word ORDER BY 2 LIMIT 8) AS w;
END;

-- What made the terms: the number of the rules above, and the versions of Unicode's tables that they use.
CREATE FUNCTION recruiting.search_folding_version() RETURNS text LANGUAGE sql STABLE
    RETURN concat('1 PostgreSQL ', current_setting('server_version_num')::integer / 10000,
                  ' ICU ', pg_collation_actual_version('recruiting.unicode'::regcollation));

-- Its only row: by which version all of candidate_terms were made, and how far they have been made again by another one.
CREATE TABLE recruiting.search_folding (
    version text NOT NULL,
    next_version text,
    rebuilt_to uuid -- the last candidate, in the order of their ids, whose terms are of next_version
);
ALTER TABLE recruiting.search_folding OWNER TO recruiting_owner;
CREATE UNIQUE INDEX search_folding_is_one ON recruiting.search_folding ((true));
INSERT INTO recruiting.search_folding (version) VALUES ('0'); -- those of the migrations before

-- Makes the terms of the next candidates again where another version made them, and returns how many candidates these were.
-- recruitctl migrate calls it until it returns 0, each time in a transaction of its own: it may be killed, and run beside the
-- services. A candidate that changes meanwhile waits for the lock of its row, or its triggers have made the new terms.
CREATE FUNCTION recruiting.rebuild_candidate_terms(most integer) RETURNS integer
    LANGUAGE plpgsql SET jit = off AS $$
DECLARE
    wanted CONSTANT text := recruiting.search_folding_version();
    state recruiting.search_folding;
    ids uuid[];
BEGIN
    SELECT * INTO state FROM recruiting.search_folding FOR UPDATE;
    IF state.version = wanted THEN
        RETURN 0;
    END IF;
    SELECT array_agg(c.id ORDER BY c.id) INTO ids
    FROM (SELECT i.id FROM recruiting.candidates i
          WHERE i.id > CASE WHEN state.next_version = wanted THEN state.rebuilt_to ELSE '00000000-0000-0000-0000-000000000000' END
          ORDER BY i.id LIMIT most FOR NO KEY UPDATE) AS c;
    IF ids IS NULL THEN
        UPDATE recruiting.search_folding SET version = wanted, next_version = NULL, rebuilt_to = NULL;
        ALTER COLLATION recruiting.unicode REFRESH VERSION;
        RETURN 0;
    END IF;
    -- Most terms stay as they are.
    WITH made AS MATERIALIZED (
        SELECT c.organization_id, t.kind, t.term, c.id
        FROM recruiting.candidates c,
             LATERAL recruiting.terms_of_candidate(c.name, c.email, c.current_title, c.current_company, c.tags) AS t
        WHERE c.id = ANY (ids)
    ), deleted AS (
        DELETE FROM recruiting.candidate_terms t
        WHERE t.candidate_id = ANY (ids)
          AND NOT EXISTS (SELECT FROM made m WHERE m.id = t.candidate_id AND m.kind = t.kind AND m.term = t.term)
    )
    INSERT INTO recruiting.candidate_terms (organization_id, kind, term, candidate_id)
    SELECT m.organization_id, m.kind, m.term, m.id FROM made m ON CONFLICT DO NOTHING;
    UPDATE recruiting.search_folding SET next_version = wanted, rebuilt_to = ids[cardinality(ids)];
    RETURN cardinality(ids);
END $$;
REVOKE EXECUTE ON FUNCTION recruiting.rebuild_candidate_terms FROM PUBLIC;
ALTER FUNCTION recruiting.rebuild_candidate_terms OWNER TO recruiting_owner;
