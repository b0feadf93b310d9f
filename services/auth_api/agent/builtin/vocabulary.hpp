// The words the responder knows, each with one sense. English throughout; of other languages what the commonest
// questions need.
#pragma once
#include <optional>
#include <string_view>

namespace recruiting::auth_api::agent::responder {

enum class sense {
    unknown, // a name, mostly
    quoted,
    // glue
    article,
    preposition, // value: "name" where a name may follow (in, for, of)
    named,       // "called", "titled"
    be,
    auxiliary,
    pronoun,   // I, we, you
    reference, // it, there: what was talked about
    conjunction,
    negation,
    polite,
    overall, // in total, currently
    // questions and commands
    who,
    what,
    which,
    where,
    when,
    how,
    count,
    list,
    find,
    describe, // value: "job" where only a job can be meant
    per,      // by, per, each
    // what is asked about
    candidate,
    candidate_status, // value: status
    job,
    job_status, // value: status
    published,
    pipeline,
    stage,
    stage_name, // value: kind
    member,
    role, // value: role
    organization,
    name,
    website,
    time_zone,
    country,
    identifier,
    location,
    department,
    salary,
    billing,
    usage,
    seat,
    invoice,
    audit,
    change,
    deed,    // done to something: revoked, created, removed; value: its action where there is one
    failure, // failed, refused
    key,
    key_state, // value: state
    expiry,
    revoke,
    all,
    // time
    day,       // today, a date; value: "0" today, "1" yesterday, "week", "month", "": a date
    number,    // value: its digits; "": it is written in digits
    time_unit, // value: its seconds
    last,      // in the last 3 days, last changes
    // small talk
    greeting,
    thanks,
    help,
};

struct meaning {
    sense is{sense::unknown};
    std::string_view value;
};

/// Of a plain word, or of words with one space between them ("how many").
[[nodiscard]] std::optional<meaning> find_meaning(std::string_view words);

/// The most words that mean something together.
inline constexpr std::size_t longest_expression = 5;

} // namespace recruiting::auth_api::agent::responder
