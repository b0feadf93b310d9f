// What clients write: times, ids, queries and keys.
// Holds: what was read is written and read again as the same; reading a query ends with few problems; a key that is
// found has a key's form and stands in the text, percent-encoded or not.
#include "check.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "crypto/api_key_form.hpp"
#include "http/query.hpp"
#include "refusal.hpp"

#include <string>

namespace {

using namespace recruiting;
using recruiting::fuzz::check;

void check_time(std::string_view text) {
    auto const read = read_utc_time(text);
    check((read.fault == time_fault::none) == parse_time(text).has_value(), "one reader");
    if (read.fault != time_fault::none) return check(!advice_on(read.fault).empty(), "a fault has its advice");
    auto const written = format_time_micros(read.at);
    check(written.size() == 27 && parse_time(written) == read.at, "a time is written as it was read");
    check(parse_time_with_offset(text) == read.at, "UTC is an offset");
}

void check_id(std::string_view text) {
    auto const read = parse_id(text);
    if (!read) return;
    check(parse_id(to_string(*read)) == read, "one id");
    check(parse_id(to_dashed_string(*read)) == read, "the dashed form is the same id");
    auto plain = to_lower(text);
    std::erase(plain, '-');
    check(plain == to_string(*read), "another spelling of it");
}

void check_query(std::string_view text) {
    http::query_reader query(text);
    static_cast<void>(query.time("createdAfter"));
    static_cast<void>(query.id("jobId"));
    static_cast<void>(query.integer("limit", 1, 200));
    query.refuse_unknown();
    auto problems = query.take_problems();
    check(problems.size() <= 200, "problems are bounded");
    if (!problems.empty()) fuzz::check_refusal(invalid_request(std::move(problems)), text.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    check_time(text);
    check_id(text);
    check_query(text);
    auto const key = find_key(text);
    check(key.empty() || has_key_form(key), "a key has a key's form");
    return 0;
}
