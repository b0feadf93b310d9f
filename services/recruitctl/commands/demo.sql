-- What `recruitctl demo load` calls: functions that write the records number `first` to `last` of an organization. A number
-- always gives the same record on one day; times end with the day on which the organization was added. Names are common ones
-- of many countries, companies are invented, and all addresses end in .example (RFC 2606).

-- 0 to below - 1, for one property (salt) of one record (key).
CREATE FUNCTION pg_temp.chance(key bigint, salt integer, below integer) RETURNS integer LANGUAGE sql IMMUTABLE
    RETURN ((hashint8extended(key, salt) & 2147483647) % below)::integer;
CREATE FUNCTION pg_temp.pick(key bigint, salt integer, words text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN (string_to_array(words, ','))[1 + pg_temp.chance(key, salt, cardinality(string_to_array(words, ',')))];
CREATE FUNCTION pg_temp.between(key bigint, salt integer, earliest timestamptz, latest timestamptz) RETURNS timestamptz
    LANGUAGE sql STABLE
    RETURN date_trunc('milliseconds', earliest + pg_temp.chance(key, salt, 1000000) / 1e6 * (latest - earliest));
-- A UUIDv7 (RFC 9562 section 5.7) of that time.
CREATE FUNCTION pg_temp.id_at(at timestamptz, key bigint) RETURNS uuid LANGUAGE sql STABLE
    RETURN overlay(overlay(md5(key::text) PLACING lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' FROM 1)
                   PLACING '8' FROM 17)::uuid;
-- "Zoë O'Brien" becomes "zoe.obrien".
CREATE FUNCTION pg_temp.mailbox(name text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN regexp_replace(translate(lower(name), ' áãäåèéëíıñńóöøÖúüçşśß', '.aaaaeeeiinnooooouucsss'), '[^a-z.]', '', 'g');
CREATE FUNCTION pg_temp.today(organization uuid) RETURNS timestamptz LANGUAGE sql STABLE
    RETURN (SELECT created_at + interval '620 days' FROM recruiting.organizations WHERE id = organization);

CREATE FUNCTION pg_temp.first_names() RETURNS text LANGUAGE sql IMMUTABLE RETURN
    'Ada,Adrian,Aisha,Akira,Alejandro,Aleksandra,Alice,Amara,Amélie,Ana,Anders,Andrea,Anika,Anna,Antoine,Arjun,Astrid,'
    'Ayşe,Bartosz,Beatriz,Ben,Björn,Camille,Carlos,Chiara,Chidi,Chloé,Clara,Daniel,Daria,David,Deepa,Diego,Dmitri,Ebru,'
    'Elena,Elif,Emma,Emre,Erik,Eva,Ewa,Fatima,Felix,Finn,Francesca,Freja,Gabriel,Giulia,Grace,Hana,Hannah,Hassan,Helena,'
    'Hiroshi,Hugo,Ibrahim,Ida,Ines,Ingrid,Isabel,Ivan,Jakub,James,Jan,Jasmin,João,Johanna,Jonas,José,Julia,Kai,Karim,'
    'Katarzyna,Kenji,Kofi,Lars,Laura,Layla,Lea,Leon,Liam,Lin,Lina,Lucas,Lucía,Maja,Malik,Marco,Maria,Marta,Mateusz,'
    'Matteo,Maya,Mei,Mia,Mohammed,Nadia,Natalia,Niamh,Nikhil,Nina,Noah,Nora,Olivia,Omar,Oscar,Paola,Pedro,Petra,Priya,'
    'Rafael,Raj,Renata,Rosa,Ruth,Samir,Sara,Sean,Sofia,Stefan,Sven,Tatiana,Thomas,Tomás,Valentina,Viktor,Wei,Yara,Yusuf,'
    'Zofia,Zoë';
CREATE FUNCTION pg_temp.last_names() RETURNS text LANGUAGE sql IMMUTABLE RETURN
    'Abdi,Adeyemi,Ahmed,Andersen,Bakker,Banerjee,Baumann,Becker,Bernard,Bianchi,Björk,Brown,Bruno,Campbell,Carvalho,'
    'Castro,Chen,Costa,Costello,da Silva,Das,de Vries,Delgado,Demir,Diallo,Dubois,Eriksson,Evans,Fernández,Ferrari,'
    'Fischer,Fontaine,Fuchs,García,Garnier,Gomes,González,Gruber,Gupta,Haddad,Hansen,Hartmann,Hoffmann,Horváth,Huber,'
    'Hughes,Ivanova,Jansen,Janssen,Jensen,Johansson,Kaya,Keller,Khan,Kim,Klein,Kobayashi,Kowalski,Krüger,Kumar,Lambert,'
    'Larsen,Lee,Lefèvre,Lehmann,Leroy,Li,Lindgren,López,Lund,MacLeod,Maier,Marino,Martin,Martínez,Mehta,Mensah,Meyer,'
    'Mueller,Müller,Murphy,Nakamura,Nguyen,Nielsen,Novák,Nowak,O''Brien,O''Connor,Okafor,Olsen,Öztürk,Papadopoulos,Park,'
    'Patel,Pereira,Petrov,Popescu,Ramírez,Ricci,Rossi,Roux,Santos,Sato,Schmidt,Schneider,Schulz,Sharma,Silva,Singh,Smith,'
    'Sørensen,Suzuki,Svensson,Taylor,Torres,van den Berg,Varga,Wagner,Walker,Wang,Weber,Weiß,Williams,Wiśniewska,Wójcik,'
    'Yamamoto,Yılmaz,Zhang,Zimmermann';
-- Names of other scripts, with what their owners write in addresses.
CREATE FUNCTION pg_temp.other_names() RETURNS text LANGUAGE sql IMMUTABLE RETURN
    '王伟|wei.wang,李娜|na.li,陳美玲|meiling.chen,佐藤健|ken.sato,山本さくら|sakura.yamamoto,김민준|minjun.kim,박서연|seoyeon.park,'
    'Иван Петров|ivan.petrov,Олена Коваленко|olena.kovalenko,Мария Николова|maria.nikolova,Ελένη Παπαδοπούλου|eleni.papa,'
    'Γιώργος Νικολάου|giorgos.nikolaou,أمينة حداد|amina.haddad,يوسف منصور|yusuf.mansour,דנה כהן|dana.cohen,दीपा शर्मा|deepa.sharma,'
    'อนงค์ ศรีสุข|anong.srisuk,Նարե Սարգսյան|nare.sargsyan';
CREATE FUNCTION pg_temp.companies() RETURNS text LANGUAGE sql IMMUTABLE RETURN
    'Altiplano Logistics,Aurora Analytics,Bluefin Systems,Brightwater Bank,Cedar & Stone,Cloudberry,Copperleaf Energy,'
    'Delta Nine Software,Driftwood Media,Elbe Robotics,Evergreen Foods,Fairmont Health,Foxglove Labs,Granite Insurance,'
    'Halcyon Mobility,Harbour Digital,Indigo Retail,Ironbridge Tools,Juniper Lane,Kestrel Aerospace,Lakeshore Clinics,'
    'Lumen Optics,Maple Street Studio,Meridian Telecom,Nordlicht Energie,North Quay Shipping,Oakridge Capital,'
    'Orchid Biotech,Parallel Nine,Pinewood Games,Quarry Steel,Redwood Payments,Riverbend Motors,Saffron Travel,'
    'Silverline Rail,Stellar Freight,Tangent Design,Terra Agritech,Umber Audio,Vantage Security,Westwind Turbines,'
    'Zephyr Air';

CREATE TEMPORARY TABLE demo_places (k integer GENERATED ALWAYS AS IDENTITY, city text, region text, country text,
                                    currency text, percent integer, phone text); -- percent: of a salary in euros
INSERT INTO demo_places (city, region, country, currency, percent, phone) VALUES
    ('Berlin', 'Berlin', 'DE', 'EUR', 100, '+49 30'), ('Munich', 'Bavaria', 'DE', 'EUR', 100, '+49 89'),
    ('Hamburg', 'Hamburg', 'DE', 'EUR', 100, '+49 40'), ('Vienna', 'Vienna', 'AT', 'EUR', 100, '+43 1'),
    ('Zurich', 'Zurich', 'CH', 'CHF', 140, '+41 44'), ('Amsterdam', 'North Holland', 'NL', 'EUR', 100, '+31 20'),
    ('Paris', 'Île-de-France', 'FR', 'EUR', 100, '+33 1'), ('London', 'England', 'GB', 'GBP', 86, '+44 20'),
    ('Warsaw', 'Masovia', 'PL', 'PLN', 310, '+48 22'), ('Lisbon', 'Lisbon', 'PT', 'EUR', 100, '+351 21'),
    ('Madrid', 'Madrid', 'ES', 'EUR', 100, '+34 91'), ('Stockholm', 'Stockholm', 'SE', 'SEK', 900, '+46 8'),
    ('Austin', 'Texas', 'US', 'USD', 130, '+1 512'), ('Toronto', 'Ontario', 'CA', 'CAD', 125, '+1 416');

-- engineering: with a technical interview and a work sample. salary: per year, the middle of its range in euros.
CREATE TEMPORARY TABLE demo_roles (k integer GENERATED ALWAYS AS IDENTITY, title text, department text, salary integer,
                                   engineering boolean, mission text, skills text);
INSERT INTO demo_roles (title, department, salary, engineering, mission, skills) VALUES
    ('Backend Engineer', 'Engineering', 78000, true, 'design and run the services that direct our fleets of robots', 'c++;postgresql;linux;distributed-systems'),
    ('Robotics Engineer', 'Engineering', 80000, true, 'turn sensor data into movements that are safe around people', 'c++;ros;kinematics;control'),
    ('Frontend Engineer', 'Engineering', 70000, true, 'build the screens from which warehouses are run', 'typescript;accessibility;web;testing'),
    ('Embedded Software Engineer', 'Engineering', 76000, true, 'write the firmware of motors, grippers and batteries', 'c;rtos;can-bus;electronics'),
    ('Machine Learning Engineer', 'Engineering', 84000, true, 'teach our robots to grasp what they have never seen', 'python;perception;pytorch;data'),
    ('Site Reliability Engineer', 'Engineering', 80000, true, 'keep the platform up, measured and calm at night', 'linux;kubernetes;observability;networking'),
    ('Test Engineer', 'Engineering', 65000, true, 'find what breaks before a customer does', 'testing;python;hardware-in-the-loop;quality'),
    ('Data Engineer', 'Data', 74000, true, 'give the whole company numbers it can trust', 'sql;postgresql;warehouse;python'),
    ('Product Manager', 'Product', 82000, false, 'decide with engineers and customers what we build next', 'roadmaps;research;b2b'),
    ('Product Designer', 'Product', 66000, false, 'make complicated machines simple to work with', 'ux;prototyping;research'),
    ('Technical Writer', 'Product', 56000, false, 'write the manuals people actually read', 'documentation;api;english'),
    ('Account Executive', 'Sales', 68000, false, 'win the customers whose warehouses we automate', 'b2b;negotiation;logistics'),
    ('Customer Success Manager', 'Customer Success', 58000, false, 'make sure each installation pays off', 'b2b;onboarding;german'),
    ('Field Service Technician', 'Operations', 46000, false, 'install and repair robots where they work', 'electrics;mechanics;travel'),
    ('Supply Chain Manager', 'Operations', 64000, false, 'get parts to the line on the day they are needed', 'procurement;erp;planning'),
    ('Mechanical Engineer', 'Hardware', 68000, false, 'design parts that survive ten million cycles', 'cad;fea;prototyping'),
    ('Recruiter', 'People', 52000, false, 'find the people this page is for', 'sourcing;interviewing;english'),
    ('Accountant', 'Finance', 52000, false, 'close the books quickly and correctly', 'ifrs;datev;german'),
    ('Marketing Manager', 'Marketing', 58000, false, 'explain what we do to those who need it', 'content;events;b2b'),
    ('Legal Counsel', 'Legal', 76000, false, 'find the way that works, and write it down', 'contracts;gdpr;english');

-- NULL: an organization with this slug exists, and the demo did not add it. Its own are known by their admin's address: loading
-- into another one would mix invented people with its records. Members that were changed since stay as they are.
CREATE FUNCTION pg_temp.add_organization(slug text, is_full boolean) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    key bigint := hashtextextended('demo ' || slug, 0);
    since timestamptz := date_trunc('day', now(), 'UTC') - interval '620 days';
    of_it uuid;
    period timestamptz := date_trunc('month', now(), 'UTC') - interval '5 months';
BEGIN
    INSERT INTO recruiting.organizations AS o (id, slug, name, website_url, careers_page_url, time_zone, country_code, created_at,
                                               updated_at, accent_color, apply_url, introduction_html)
    VALUES (pg_temp.id_at(since, key), slug,
            CASE slug WHEN 'acme' THEN 'Acme Robotics' WHEN 'globex' THEN 'Globex Corporation'
                      ELSE upper(left(slug, 1)) || substr(slug, 2) END,
            'https://www.' || slug || '.example',
            CASE WHEN NOT is_full THEN 'https://careers.' || slug || '.example' END, -- the full one's are our own pages
            CASE WHEN is_full THEN 'Europe/Berlin' ELSE 'America/Chicago' END, CASE WHEN is_full THEN 'DE' ELSE 'US' END,
            since, since, CASE WHEN is_full THEN '#d9480f' END,
            CASE WHEN is_full THEN 'mailto:jobs@' || slug || '.example' END,
            CASE WHEN is_full THEN '<p>We build robots that lift, sort and carry, so that people need not. 240 of us work in Berlin, Lisbon and '
                                   'Amsterdam.</p>' END)
    ON CONFLICT ON CONSTRAINT organizations_slug_key DO NOTHING RETURNING o.id INTO of_it;
    IF of_it IS NULL THEN
        SELECT o.id, o.created_at INTO of_it, since
        FROM recruiting.organizations o JOIN recruiting.memberships m ON m.organization_id = o.id
        JOIN recruiting.users u ON u.id = m.user_id AND u.email_key = 'admin@' || add_organization.slug || '.example'
        WHERE o.slug = add_organization.slug;
        IF of_it IS NULL THEN
            RETURN NULL;
        END IF;
    END IF;

    CREATE TEMPORARY TABLE added ON COMMIT DROP AS
    SELECT row_number() OVER () AS n, c.mailbox || '@' || slug || '.example' AS email, c.name, c.role, c.status, c.title
    FROM (VALUES (true, 'admin', 'Alex Baumann', 'admin', 'active', 'Head of People'),
                 (true, 'recruiter', 'Robin Castro', 'recruiter', 'active', 'Senior Recruiter'),
                 (true, 'manager', 'Mika Lindgren', 'hiring_manager', 'active', 'Engineering Manager'),
                 (true, 'interviewer', 'Ines Carvalho', 'interviewer', 'active', 'Staff Engineer'),
                 (true, 'viewer', 'Vera Novák', 'viewer', 'active', 'Works Council'),
                 (true, 'recruiter2', 'Ruben Adeyemi', 'recruiter', 'active', 'Recruiter'),
                 (true, 'operations.manager', 'Oskar Fuchs', 'hiring_manager', 'active', 'Head of Operations'),
                 (true, 'sales.manager', 'Sofia Marino', 'hiring_manager', 'active', 'Head of Sales'),
                 (true, 'interviewer2', '中村純', 'interviewer', 'active', 'Senior Engineer'),
                 (true, 'interviewer3', 'Priya Banerjee', 'interviewer', 'active', 'Product Designer'),
                 (true, 'coordinator', 'Clara Dubois', 'viewer', 'active', 'Recruiting Coordinator'),
                 (true, 'newcomer', 'Noah Jensen', 'interviewer', 'invited', 'Data Engineer'),
                 (true, 'former', 'Frida Larsen', 'recruiter', 'removed', 'Recruiter'),
                 (false, 'admin', 'Gina Costello', 'admin', 'active', 'Office Manager'),
                 (false, 'recruiter', 'Gil Torres', 'recruiter', 'active', 'Recruiter'))
         AS c (of_full, mailbox, name, role, status, title)
    WHERE c.of_full = is_full;
    INSERT INTO recruiting.users (id, email_key, name, created_at, updated_at)
    SELECT pg_temp.id_at(since, hashtextextended(key::text, n)), email, name, since, since FROM added
    ON CONFLICT (email_key) DO NOTHING;
    INSERT INTO recruiting.memberships (id, organization_id, user_id, email, role, status, title, created_at, updated_at, removed_at)
    SELECT pg_temp.id_at(at, hashtextextended(key::text, 100 + n)), of_it, u.id, a.email, a.role, a.status, a.title, at, at,
           CASE a.status WHEN 'removed' THEN at + interval '200 days' END
    FROM added a JOIN recruiting.users u ON u.email_key = a.email
    CROSS JOIN LATERAL (SELECT since + n * interval '60 hours' AS at) t
    ON CONFLICT (organization_id, user_id) DO NOTHING;
    DROP TABLE added;

    -- A year with an invoice per month, of which the latest is not paid yet.
    INSERT INTO recruiting.subscriptions (organization_id, plan, status, currency, current_period_start, current_period_end,
                                          seats_included, amount_due_cents)
    VALUES (of_it, CASE WHEN is_full THEN 'business' ELSE 'starter' END, 'active', CASE WHEN is_full THEN 'EUR' ELSE 'USD' END,
            period, period + interval '1 year', CASE WHEN is_full THEN 25 ELSE 5 END, CASE WHEN is_full THEN 89900 ELSE 9900 END)
    ON CONFLICT (organization_id) DO NOTHING;
    IF FOUND THEN
        INSERT INTO recruiting.invoices (id, organization_id, number, status, amount_cents, currency, issued_at, due_at, paid_at)
        SELECT pg_temp.id_at(at, hashtextextended(key::text, 200 + n)), of_it, 'INV-' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') || '-0042',
               CASE n WHEN 5 THEN 'open' ELSE 'paid' END, s.amount_due_cents, s.currency, at, at + interval '14 days',
               CASE WHEN n < 5 THEN at + interval '3 days' END
        FROM recruiting.subscriptions s CROSS JOIN generate_series(0, 5) AS n
        CROSS JOIN LATERAL (SELECT period + n * interval '1 month' AS at) t WHERE s.organization_id = of_it;
    END IF;
    RETURN of_it;
END $$;

-- Job 1 is open, published, in the team of manager@, and its second stage can be booked. Job 14 is paid by the hour.
CREATE FUNCTION pg_temp.add_jobs(organization uuid, first bigint, last bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    today timestamptz := pg_temp.today(organization);
    slug text := (SELECT o.slug FROM recruiting.organizations o WHERE o.id = organization);
BEGIN
    CREATE TEMPORARY TABLE added ON COMMIT DROP AS
    SELECT pg_temp.id_at(t.created_at, j.key) AS id, j.n, j.key, j.level || r.title AS title, j.level, j.status, r.department, r.salary,
           r.engineering, r.mission, string_to_array(r.skills, ';') AS skills, p.city, p.region, p.country, p.currency, p.percent,
           t.created_at, o.opened_at,
           CASE WHEN j.status IN ('closed', 'archived')
                THEN pg_temp.between(j.key, 5, o.opened_at + interval '21 days', today) END AS closed_at
    FROM (SELECT n, key, role, (ARRAY['', 'Senior ', 'Lead ', 'Junior ', 'Staff '])[1 + (CASE role WHEN 1 THEN 1
                     ELSE pg_temp.chance(hashtextextended(slug, role), 1, 5) END + (n - role) / 19) % 5] AS level,
                 CASE WHEN n % 20 = 0 THEN 'archived' WHEN n % 10 = 8 THEN 'on_hold' WHEN n % 10 = 9 THEN 'closed'
                      WHEN n % 10 = 0 THEN 'draft' ELSE 'open' END AS status
          FROM generate_series(first, last) AS n
          CROSS JOIN LATERAL (SELECT hashtextextended('job ' || slug, n) AS key,
                                     CASE WHEN n <= 20 THEN n ELSE 2 + (n - 21) % 19 END AS role) k) j
    JOIN demo_roles r ON r.k = j.role
    JOIN demo_places p ON p.k = CASE j.n WHEN 1 THEN 1 ELSE 1 + pg_temp.chance(j.key, 3, 14) END
    CROSS JOIN LATERAL (SELECT pg_temp.between(j.key, 4, today - interval '500 days', today - interval '40 days') AS created_at) t
    CROSS JOIN LATERAL (SELECT CASE WHEN j.status <> 'draft' THEN
        t.created_at + make_interval(hours => 20 + pg_temp.chance(j.key, 6, 200)) END AS opened_at) o;

    INSERT INTO recruiting.jobs (id, organization_id, external_id, title, status, requisition_id, department, location_name,
                                 location_city, location_region, location_country_code, workplace_type, employment_type, openings,
                                 salary_min, salary_max, salary_currency, salary_period, salary_published, published, published_at,
                                 opened_at, closed_at, description_html, description_text, created_at, updated_at)
    SELECT a.id, organization, 'demo-job-' || lpad(a.n::text, 6, '0'), a.title, a.status, 'REQ-' || 1000 + a.n, a.department, a.city,
           a.city, a.region, a.country, (ARRAY['remote', 'on_site', 'on_site', 'hybrid', 'hybrid'])[1 + pg_temp.chance(a.key, 7, 5)],
           coalesce((ARRAY['part_time', 'contract'])[1 + pg_temp.chance(a.key, 8, 14)], 'full_time'), 1 + pg_temp.chance(a.key, 9, 3),
           CASE a.n WHEN 14 THEN 20.75 ELSE s.salary * 90 / 100 / 500 * 500 END,
           CASE a.n WHEN 14 THEN 24.5 ELSE s.salary * 112 / 100 / 500 * 500 END,
           CASE a.n WHEN 14 THEN 'EUR' ELSE a.currency END, CASE a.n WHEN 14 THEN 'hour' ELSE 'year' END,
           a.n IN (1, 14) OR pg_temp.chance(a.key, 10, 100) < 60, is_published, CASE WHEN is_published THEN a.opened_at END, a.opened_at,
           a.closed_at,
           d.html, btrim(regexp_replace(replace(replace(regexp_replace(d.html, '</(h2|h3|p|ul)>', E'\n\n', 'g'), '<li>', '- '), '</li>', E'\n'),
                                        '<[^>]+>|(?<=\n\n)\n+', '', 'g'), E'\n'),
           a.created_at, greatest(a.created_at, a.opened_at, a.closed_at)
    FROM added a CROSS JOIN LATERAL (SELECT a.status = 'open' AND a.n % 10 <> 7 AS is_published,
        a.salary * CASE a.level WHEN '' THEN 100 WHEN 'Junior ' THEN 80 ELSE 122 END / 100 * a.percent / 100 AS salary) s
    JOIN recruiting.organizations o ON o.id = organization
    CROSS JOIN LATERAL (SELECT format(
        '<h2>The role</h2><p>As <strong>%s</strong> at %s you will %s. You join the %s team in %s.</p><h3>What you bring</h3><ul>%s'
        '<li>You say what you think and listen to what others think</li></ul><h3>What we offer</h3><ul><li>30 days of leave and a '
        'budget for learning</li><li>Robots down the corridor</li></ul><p>Questions? Write to us, we answer within two working days.</p>',
        a.title, o.name, a.mission, a.department, a.city,
        (SELECT string_agg('<li>You know your way around <em>' || s || '</em></li>', '') FROM unnest(a.skills) AS s)) AS html) d;

    INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes, created_at,
                                   updated_at)
    SELECT pg_temp.id_at(a.created_at, hashtextextended(a.key::text, s.k)), organization, a.id, s.name, s.kind,
           row_number() OVER (PARTITION BY a.id ORDER BY s.k) - 1, s.minutes IS NOT NULL, s.minutes, a.created_at, a.created_at
    FROM added a JOIN (VALUES (1, 'Applied', 'applied', NULL::integer, NULL::boolean), (2, 'Phone screen', 'screen', 30, NULL),
                              (3, 'Work sample', 'assessment', NULL, true), (4, 'Technical interview', 'interview', 60, true),
                              (5, 'Interview', 'interview', 60, false), (6, 'Team interview', 'interview', 45, true),
                              (7, 'Offer', 'offer', NULL, NULL), (8, 'Hired', 'hired', NULL, NULL))
         AS s (k, name, kind, minutes, of_engineering) ON coalesce(s.of_engineering = a.engineering, true);

    -- manager@ has job 1 and a third of the engineering jobs; the others go by department.
    INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id, role)
    SELECT organization, a.id, m.id, t.role
    FROM added a CROSS JOIN LATERAL (VALUES
        ('recruiter', CASE a.n % 2 WHEN 1 THEN 'recruiter' ELSE 'recruiter2' END),
        ('hiring_manager', CASE WHEN a.n = 1 OR a.engineering AND a.n % 3 = 1 THEN 'manager'
                                WHEN a.department IN ('Operations', 'Hardware') THEN 'operations.manager'
                                WHEN a.department IN ('Sales', 'Customer Success') THEN 'sales.manager' END),
        ('interviewer', CASE WHEN a.engineering THEN pg_temp.pick(a.key, 11, 'interviewer,interviewer2') END),
        ('coordinator', CASE WHEN pg_temp.chance(a.key, 12, 100) < 40 THEN 'coordinator' END)) AS t (role, mailbox)
    JOIN recruiting.memberships m ON m.organization_id = organization AND m.email = t.mailbox || '@' || slug || '.example'
    WHERE slug <> 'globex';
    DROP TABLE added;
END $$;

-- Candidate 1 has an active application at the first bookable stage of job 1. The others are a funnel over the stages: each keeps
-- somewhat less than half of those before it. Early jobs get more candidates.
CREATE FUNCTION pg_temp.add_candidates(organization uuid, first bigint, last bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    today timestamptz := pg_temp.today(organization);
    slug text := (SELECT o.slug FROM recruiting.organizations o WHERE o.id = organization);
    opened bigint;
BEGIN
    CREATE TEMPORARY TABLE opened_jobs ON COMMIT DROP AS
    SELECT row_number() OVER (ORDER BY j.external_id) - 1 AS k, j.id, j.opened_at, coalesce(j.closed_at, today) AS until,
           j.status IN ('open', 'on_hold') AS is_open, array_agg(s.id ORDER BY s.position) AS stages
    FROM recruiting.jobs j JOIN recruiting.stages s ON s.job_id = j.id
    WHERE j.organization_id = organization AND j.external_id LIKE 'demo-job-%' AND j.opened_at IS NOT NULL GROUP BY j.id;
    GET DIAGNOSTICS opened = ROW_COUNT;
    ANALYZE opened_jobs;

    CREATE TEMPORARY TABLE people ON COMMIT DROP AS
    SELECT n, key, least(pg_temp.chance(key, 1, opened::integer), pg_temp.chance(key, 2, opened::integer)) AS first_job,
           pg_temp.pick(key, 3, 'careers_page,careers_page,careers_page,linkedin,linkedin,referral,job_board,job_board,agency,university,event')
               AS source
    FROM generate_series(first, last) AS n CROSS JOIN LATERAL (SELECT hashtextextended('candidate ' || slug, n) AS key) k;

    CREATE TEMPORARY TABLE applied ON COMMIT DROP AS
    SELECT p.n, i, a.key, p.source, j.id AS job_id, j.stages[f.at] AS stage_id, s.status, t.applied_at, e.entered_at,
           least(today, e.entered_at + make_interval(hours => 5 + pg_temp.chance(a.key, 5, 300))) AS decided_at
    FROM people p CROSS JOIN LATERAL generate_series(1, CASE WHEN p.n = 1 OR pg_temp.chance(p.key, 4, 100) < 70 THEN 1
                                                             WHEN pg_temp.chance(p.key, 4, 100) < 92 THEN 2 ELSE 3 END) AS i
    CROSS JOIN LATERAL (SELECT hashtextextended(p.key::text, i) AS key) a
    JOIN opened_jobs j ON j.k = CASE p.n WHEN 1 THEN 0 ELSE (p.first_job + i - 1) % opened END AND i <= opened
    CROSS JOIN LATERAL (SELECT CASE WHEN p.n = 1 THEN 'active' WHEN r < 4 THEN 'hired' WHEN r < 12 THEN 'withdrawn'
                                    WHEN r < 58 AND j.is_open THEN 'active' ELSE 'rejected' END AS status
                        FROM (SELECT pg_temp.chance(a.key, 1, 100) AS r) c) s
    CROSS JOIN LATERAL (SELECT CASE WHEN p.n = 1 THEN 2 WHEN s.status = 'hired' THEN cardinality(j.stages)
        ELSE least(cardinality(j.stages) - 1, 1 + floor(ln((1 + pg_temp.chance(a.key, 2, 10000)) / 1e4) / ln(0.45)))::integer END AS at) f
    CROSS JOIN LATERAL (SELECT pg_temp.between(a.key, 3, j.opened_at, j.until) AS applied_at) t
    CROSS JOIN LATERAL (SELECT least(today, t.applied_at + (f.at - 1) * make_interval(hours => 30 + pg_temp.chance(a.key, 4, 200)))
                            AS entered_at) e;

    INSERT INTO recruiting.candidates (id, organization_id, external_id, name, email, email_key, phone, current_title, current_company,
                                       location_city, location_region, location_country_code, links, source, tags, last_activity_at,
                                       created_at, updated_at)
    SELECT pg_temp.id_at(t.created_at, p.key) AS id, organization, 'demo-candidate-' || lpad(p.n::text, 8, '0'), w.name, e.email,
           e.email, CASE WHEN pg_temp.chance(p.key, 12, 100) < 80
                         THEN o.phone || ' ' || lpad(pg_temp.chance(p.key, 13, 10000000)::text, 7, '0') END,
           pg_temp.pick(p.key, 14, ',,Junior ,Senior ,Senior ,Lead ,Staff ') || r.title, pg_temp.pick(p.key, 15, pg_temp.companies()),
           o.city, o.region, o.country,
           ('[' || concat_ws(',',
               CASE WHEN pg_temp.chance(p.key, 16, 100) < 70
                    THEN '{"type":"linkedin","url":"https://linkedin.example/in/' || w.mailbox || p.n || '"}' END,
               CASE WHEN r.engineering AND pg_temp.chance(p.key, 17, 100) < 50
                    THEN '{"type":"github","url":"https://github.example/' || w.mailbox || p.n || '"}' END,
               CASE WHEN pg_temp.chance(p.key, 18, 100) < 10
                    THEN '{"type":"website","url":"https://' || w.mailbox || p.n || '.example/"}' END) || ']')::jsonb,
           p.source,
           ARRAY(SELECT s.skill FROM unnest(string_to_array(r.skills, ';')) WITH ORDINALITY AS s (skill, k)
                 WHERE pg_temp.chance(p.key, 20 + s.k::integer, 100) < 60)
               || CASE WHEN pg_temp.chance(p.key, 30, 100) < 8 THEN ARRAY['relocation'] END
               || CASE WHEN pg_temp.chance(p.key, 31, 100) < 4 THEN ARRAY['former-applicant'] END,
           t.last_activity_at, t.created_at, t.last_activity_at
    FROM people p
    JOIN (SELECT n, min(applied_at) AS created_at, max(CASE status WHEN 'active' THEN entered_at ELSE decided_at END) AS last_activity_at
          FROM applied GROUP BY n) t USING (n)
    JOIN demo_roles r ON r.k = 1 + pg_temp.chance(p.key, 10, 20) JOIN demo_places o ON o.k = 1 + pg_temp.chance(p.key, 11, 14)
    CROSS JOIN LATERAL (SELECT pg_temp.pick(p.key, 5, pg_temp.first_names()) || ' ' || pg_temp.pick(p.key, 6, pg_temp.last_names())
                                   AS latin, pg_temp.pick(p.key, 7, pg_temp.other_names()) AS other OFFSET 0) x
    CROSS JOIN LATERAL (SELECT CASE WHEN z THEN split_part(x.other, '|', 1) ELSE x.latin END AS name,
                               CASE WHEN z THEN split_part(x.other, '|', 2) ELSE pg_temp.mailbox(x.latin) END AS mailbox
                        FROM (SELECT pg_temp.chance(p.key, 8, 100) < 8 AS z) c OFFSET 0) w
    CROSS JOIN LATERAL (SELECT w.mailbox || p.n || '@mail.example' AS email) e
    ORDER BY id;

    INSERT INTO recruiting.applications (id, organization_id, external_id, candidate_id, job_id, stage_id, status, source, applied_at,
                                         stage_entered_at, rejected_at, hired_at, rejection_reason, created_at, updated_at)
    SELECT pg_temp.id_at(a.applied_at, a.key), organization, 'demo-application-' || lpad(a.n::text, 8, '0') || '-' || a.i, c.id, a.job_id,
           a.stage_id, a.status, a.source, a.applied_at, a.entered_at, CASE a.status WHEN 'rejected' THEN a.decided_at END,
           CASE a.status WHEN 'hired' THEN a.decided_at END,
           CASE a.status WHEN 'rejected' THEN pg_temp.pick(a.key, 6, 'Not enough experience,Position filled,Salary expectation,'
               'Skills do not match,No work permit,Other candidate preferred,Did not appear at the interview') END,
           a.applied_at, CASE a.status WHEN 'active' THEN a.entered_at ELSE a.decided_at END
    FROM applied a JOIN recruiting.candidates c
        ON c.organization_id = organization AND c.external_id = 'demo-candidate-' || lpad(a.n::text, 8, '0')
    ORDER BY c.id;
    DROP TABLE opened_jobs, people, applied;
END $$;

-- Interview slots, unlike the other records, follow the clock: what is missing of the next two weeks, on working days of the
-- organization's time zone, at the first bookable stage of its first two published jobs. Running it again finds the slots of
-- before by their unique index. The first time, interviewer2@ also has eight interviews. Returns how many slots were opened.
CREATE FUNCTION pg_temp.open_slots(organization uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE opened bigint;
BEGIN
    INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
    SELECT gen_random_uuid(), organization, s.job_id, s.id, m.id, t.starts_at,
           t.starts_at + make_interval(mins => s.interview_duration_minutes)
    FROM (SELECT DISTINCT ON (j.external_id) s.*, o.time_zone, o.slug
          FROM recruiting.jobs j JOIN recruiting.organizations o ON o.id = j.organization_id
          JOIN recruiting.stages s ON s.job_id = j.id AND s.bookable
          WHERE j.organization_id = organization AND j.external_id LIKE 'demo-job-%' AND j.published AND j.status = 'open'
            AND j.deleted_at IS NULL
          ORDER BY j.external_id, s.position LIMIT 2) s
    JOIN recruiting.memberships m ON m.organization_id = organization AND m.status = 'active'
     AND m.email IN ('interviewer@' || s.slug || '.example', 'interviewer2@' || s.slug || '.example')
    CROSS JOIN LATERAL (SELECT date_trunc('day', now() AT TIME ZONE s.time_zone) AS today) c
    CROSS JOIN generate_series(c.today + interval '1 day', c.today + interval '14 days', interval '1 day') AS day
    CROSS JOIN unnest(ARRAY[interval '9 h', '10 h', '11 h', '14 h', '15 h', '16 h']) AS hour
    CROSS JOIN LATERAL (SELECT (day + hour) AT TIME ZONE s.time_zone AS starts_at) t
    WHERE extract(isodow FROM day) < 6
    ON CONFLICT (stage_id, membership_id, starts_at) WHERE closed_at IS NULL DO NOTHING;
    GET DIAGNOSTICS opened = ROW_COUNT;
    IF EXISTS (SELECT FROM recruiting.bookings b WHERE b.organization_id = organization) THEN
        RETURN opened;
    END IF;
    INSERT INTO recruiting.bookings (id, organization_id, application_id, candidate_id, job_id, stage_id, status, slot_id, time_zone,
                                     calendar_uid)
    SELECT gen_random_uuid(), organization, a.id, a.candidate_id, a.job_id, a.stage_id, 'confirmed', s.id, 'Europe/Berlin',
           gen_random_uuid()
    FROM (SELECT a.*, row_number() OVER (PARTITION BY a.stage_id ORDER BY a.external_id) AS n FROM recruiting.applications a
          WHERE a.organization_id = organization AND a.status = 'active' AND a.external_id > 'demo-application-00000002') a
    JOIN (SELECT s.*, row_number() OVER (PARTITION BY s.stage_id ORDER BY s.starts_at) AS n,
                 dense_rank() OVER (ORDER BY s.stage_id) AS stage
          FROM recruiting.interview_slots s JOIN recruiting.memberships m ON m.id = s.membership_id AND m.email LIKE 'interviewer2@%'
          WHERE s.organization_id = organization AND s.starts_at > now()) s
        ON s.stage_id = a.stage_id AND s.n = 7 * a.n + 2 * s.stage
    WHERE a.n <= 4;
    DELETE FROM recruiting.mail_outbox m USING recruiting.bookings b -- the demo sends none
    WHERE b.id = m.booking_id AND b.organization_id = organization;
    RETURN opened;
END $$;
