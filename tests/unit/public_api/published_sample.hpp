// A catalogue of two organizations, one with every field of a job filled and every character that does harm somewhere.
#pragma once
#include "public_api/catalogue/catalogue_builder.hpp"

#include <string>

namespace recruiting::test {

inline timestamp const sample_now = *parse_time("2026-11-21T12:00:00Z");
inline constexpr std::string_view sample_public_url = "https://jobs.example.com";
// Ends a script, a CDATA section and an attribute; holds what XML can't; is written from right to left; is no BMP text.
inline constexpr std::string_view hostile = "</script><!--]]>&\"'\x01\x0B\uFFFE\u202Eשלום 🚀";

inline public_api::published_job sample_job(std::uint8_t number, std::string title) {
    public_api::published_job job;
    job.id.bytes.back() = number;
    job.title = std::move(title);
    job.published_at = sample_now - std::chrono::hours{number};
    job.updated_at = job.published_at;
    return job;
}

inline public_api::published_job full_job() {
    auto job = sample_job(1, "Robot Engineer");
    job.department = "Engineering";
    job.location_name = "Berlin, Germany";
    job.location_city = "Berlin";
    job.location_region = "BE";
    job.location_country_code = "DE";
    job.workplace_type = "hybrid";
    job.employment_type = "full_time";
    job.salary_min = "60000";
    job.salary_max = "80000";
    job.salary_currency = "EUR";
    job.salary_period = "year";
    job.description_html = "<h2>You</h2><p>build <strong>robots</strong> &amp; more</p>";
    job.description_text = "You\n\nbuild robots & more";
    job.closes_at = sample_now + std::chrono::hours{24};
    job.bookable_stages.push_back({uuid{{9}}, "Interview", 45});
    return job;
}

inline public_api::published_organization sample_organization() {
    public_api::published_organization acme;
    acme.id.bytes.back() = 1;
    acme.slug = "acme";
    acme.name = "Acme & Söhne";
    acme.website_url = "https://acme.example";
    acme.logo_url = "https://cdn.acme.example/logo.png?a=1&b=2";
    acme.time_zone = "Europe/Berlin";
    return acme;
}

/// acme: the full job, a hostile one, a remote one and a closed one. bare: nothing but a name.
inline public_api::catalogue sample_catalogue() {
    auto evil = sample_job(2, std::string(hostile));
    evil.department = hostile;
    evil.location_name = hostile;
    evil.description_html = "<p>]]&gt; ]]> \x02 שלום</p>"; // not as the sanitiser would leave it
    evil.description_text = hostile;
    auto remote = sample_job(3, "Remote Clerk");
    remote.workplace_type = "remote";
    remote.employment_type = "contract";
    remote.location_country_code = "US";
    auto closed = sample_job(4, "Closed");
    closed.closes_at = sample_now;
    public_api::published_organization bare;
    bare.id.bytes.back() = 2;
    bare.slug = "bare";
    bare.name = "Bare";
    bare.careers_page_url = "https://bare.example/careers";
    static public_api::catalogue const nothing;
    return public_api::catalogue_builder(nothing, sample_public_url)
        .put(sample_organization(), {full_job(), evil, remote, closed})
        .put(bare, {sample_job(5, "Only")})
        .build();
}

} // namespace recruiting::test
