// What the job list's filters compare, of all jobs of an organization, side by side in memory: one pass over ten
// thousand of them follows no pointers and compares numbers. Titles, departments and locations are compared by
// their search keys (words/search_key.hpp). Pure.
#pragma once
#include "public_api/catalogue/packed_job.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

/// A place of the careers page's form. value: for job_filters::location. A name that several places share stands for
/// all.
struct place_choice {
    std::string value;
    job_pointer only_one; // a job there, whose place says more; null: there are several
};

/// The choices of the careers page's form among an organization's jobs, made once per snapshot. At most 200 each.
struct job_choices {
    std::vector<std::string> departments; // sorted
    std::vector<place_choice> locations;  // by value
};

[[nodiscard]] job_choices choices_of(std::vector<job_pointer> const& jobs);

struct job_filters {
    // Case and accents count in none of these texts.
    std::optional<std::string> department;
    std::optional<std::string> location;       // name, city or region contains it
    std::vector<std::string> workplace_types;  // any of them; empty: all jobs
    std::vector<std::string> employment_types; // the same
    /// Every word of it occurs in the title, the department, the place or the kind of workplace, as the API or one of
    /// the pages' languages names it.
    std::optional<std::string> q;
};

class job_index {
public:
    job_index() = default;
    explicit job_index(std::vector<job_pointer> const& jobs);

    /// The filters as this index compares them.
    class criteria {
        friend class job_index;
        std::optional<std::uint32_t> department;
        std::optional<std::vector<std::uint32_t>> locations; // in order
        std::vector<std::uint32_t> workplace_types;
        std::vector<std::uint32_t> employment_types;
        struct word {
            std::string text;
            std::vector<std::uint32_t> departments, locations, types; // that hold it, each in order
        };
        std::vector<word> words;
    };
    [[nodiscard]] criteria compile(job_filters const& filters) const;
    /// job: its position in the organization's list.
    [[nodiscard]] bool fits(criteria const& wanted, std::size_t job) const noexcept;

private:
    // Numbers each different text. Text that no job has gets a number that no job has.
    class dictionary {
    public:
        std::uint32_t number_of(std::optional<std::string> const& text);
        [[nodiscard]] std::uint32_t find(std::string_view text) const;
        /// The numbers, in order, of each text of which this holds.
        [[nodiscard]] std::vector<std::uint32_t> those_that(std::function<bool(std::string_view)> const& holds) const;

    private:
        static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
        static constexpr std::uint32_t unknown = absent - 1;
        std::map<std::string, std::uint32_t, std::less<>> numbers_;
    };
    struct row {
        std::uint32_t department;
        std::array<std::uint32_t, 3> locations;
        std::uint32_t workplace_type;
        std::uint32_t employment_type;
        std::uint32_t title_at; // in titles_
        std::uint32_t title_size;
    };
    [[nodiscard]] bool has_word(row const& job, criteria::word const& wanted) const noexcept;

    dictionary departments_; // by their search keys
    dictionary locations_;   // the same
    dictionary types_;
    std::vector<row> rows_;
    std::string titles_; // search keys, one after the other
};

} // namespace recruiting::public_api
