#include "public_api/catalogue/packed_job.hpp"

#include "compression/compress.hpp"
#include "core/text.hpp"

#include <charconv>

namespace recruiting::public_api {
namespace {

// Each field is its size in hexadecimal, a space, and its bytes; a field without a value is a space alone.
class fact_writer {
public:
    explicit fact_writer(std::string& out) : out_(out) {}

    void add(std::string_view text) {
        char size[16];
        out_.append(size, std::to_chars(size, size + sizeof size, text.size(), 16).ptr);
        out_.append(" ").append(text);
    }
    void add(std::optional<std::string> const& text) {
        if (text) add(std::string_view(*text));
        else out_ += ' ';
    }

private:
    std::string& out_;
};

// Reads what a fact_writer of this process wrote, in the same order.
class fact_reader {
public:
    explicit fact_reader(std::string_view facts) : left_(facts) {}

    [[nodiscard]] bool at_end() const noexcept { return left_.empty(); }
    std::optional<std::string> optional_text() {
        auto const space = left_.find(' ');
        std::size_t size = 0;
        std::from_chars(left_.data(), left_.data() + space, size, 16);
        std::optional<std::string> text;
        if (space > 0) text = left_.substr(space + 1, size);
        left_.remove_prefix(space + 1 + size);
        return text;
    }
    std::string text() { return optional_text().value_or(""); }

private:
    std::string_view left_;
};

std::string pack_facts(published_job const& job) {
    std::string facts;
    fact_writer to(facts);
    to.add(std::string_view(job.title));
    for (auto const* field : {&job.department, &job.location_name, &job.location_city, &job.location_region,
                              &job.location_country_code, &job.workplace_type, &job.employment_type})
        to.add(*field);
    for (auto const* field :
         {&job.salary_min, &job.salary_max, &job.salary_currency, &job.salary_period, &job.own_apply_url})
        to.add(*field);
    for (auto const& stage : job.bookable_stages) {
        to.add(std::string_view(to_string(stage.id)));
        to.add(std::string_view(stage.name));
        to.add(std::string_view(std::to_string(stage.duration_minutes)));
    }
    facts.shrink_to_fit();
    return facts;
}

std::string pack_description(published_job const& job) {
    std::string text;
    fact_writer to(text);
    to.add(std::string_view(job.description_html));
    to.add(std::string_view(job.description_text));
    return compression::deflate(text);
}

} // namespace

packed_job::packed_job(published_job const& job)
    : id(job.id), published_at(job.published_at), closes_at(job.closes_at), updated_at(job.updated_at),
      facts(pack_facts(job)), description(pack_description(job)) {}

published_job facts_of(packed_job const& job) {
    published_job out;
    out.id = job.id;
    out.published_at = job.published_at;
    out.closes_at = job.closes_at;
    out.updated_at = job.updated_at;
    fact_reader from(job.facts);
    out.title = from.text();
    for (auto* field : {&out.department, &out.location_name, &out.location_city, &out.location_region,
                        &out.location_country_code, &out.workplace_type, &out.employment_type})
        *field = from.optional_text();
    for (auto* field : {&out.salary_min, &out.salary_max, &out.salary_currency, &out.salary_period, &out.own_apply_url})
        *field = from.optional_text();
    while (!from.at_end()) {
        auto const stage = parse_id(from.text());
        auto name = from.text();
        auto const minutes = parse_number<std::int64_t>(from.text());
        out.bookable_stages.push_back({stage.value(), std::move(name), minutes.value()});
    }
    return out;
}

void unpack_description(packed_job const& from, published_job& into) {
    auto const text = compression::inflate(from.description);
    fact_reader fields(text);
    into.description_html = fields.text();
    into.description_text = fields.text();
}

} // namespace recruiting::public_api
