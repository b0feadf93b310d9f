// What the job list's filters compare, of all jobs of an organization, side by side in memory: one pass over ten
// thousand of them follows no pointers and compares numbers. Titles, departments and locations are compared by
// their search keys (words/search_key.hpp). Pure.
#pragma once
#include "public_api/catalogue/packed_job.hpp"

#include <array>
#include <cstddef>
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

inline constexpr std::size_t most_choices = 200; // in one field of the form

/// The choices of the careers page's form among an organization's jobs, made once per snapshot. At most most_choices
/// each.
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

/// How many jobs each choice of a field would leave, given the form's other fields.
struct field_counts {
    std::size_t all{0};               // without a choice in this field
    std::vector<std::size_t> choices; // in the order of the field's choices
};
struct choice_counts {
    std::size_t matching{0}; // jobs that all fields leave
    field_counts departments;
    field_counts locations;
    field_counts workplace_types;
    field_counts employment_types;
};

class job_index {
public:
    job_index() = default;
    job_index(std::vector<job_pointer> const& jobs, job_choices const& choices);

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

    /// Counts the choices in one pass over the jobs, each of which is looked at once.
    class counter {
    public:
        counter(job_index const& of, criteria const& wanted);
        /// Returns whether the job fits.
        bool add(std::size_t job);
        [[nodiscard]] choice_counts counts() const;

    private:
        job_index const& of_;
        criteria const& wanted_;
        choice_counts found_;                     // types are counted by number until counts()
        std::vector<std::size_t> in_departments_; // by number
    };

private:
    // Numbers each different text. Text that no job has gets a number that no job has.
    class dictionary {
    public:
        std::uint32_t number_of(std::optional<std::string> const& text);
        [[nodiscard]] std::uint32_t find(std::string_view text) const;
        /// The numbers, in order, of each text of which this holds.
        [[nodiscard]] std::vector<std::uint32_t> those_that(std::function<bool(std::string_view)> const& holds) const;
        [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }

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
    using place_set = std::array<std::uint64_t, (most_choices + 63) / 64>; // a bit per choice
    [[nodiscard]] static bool is_department(criteria const& wanted, row const& job) noexcept;
    [[nodiscard]] static bool is_location(criteria const& wanted, row const& job) noexcept;
    [[nodiscard]] bool has_words(row const& job, criteria const& wanted) const noexcept;
    [[nodiscard]] bool has_word(row const& job, criteria::word const& wanted) const noexcept;
    void count_choices_at(row const& job, std::vector<std::size_t>& counts) const noexcept;

    dictionary departments_; // by their search keys
    dictionary locations_;   // the same
    dictionary types_;
    std::vector<row> rows_;
    std::string titles_;                            // search keys, one after the other
    std::vector<std::uint32_t> department_choices_; // their numbers
    std::size_t location_choices_{0};               // how many there are
    std::vector<place_set> choices_of_place_;       // by a location's number: those that its text contains
};

} // namespace recruiting::public_api
