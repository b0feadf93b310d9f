// Jobs out of a job board's document: Greenhouse's job board API (GET /v1/boards/X/jobs?content=true) and Lever's
// postings API (GET /v0/postings/X?mode=json). Each posting becomes a record as read_ndjson would read it, published
// and open, known as "greenhouse:4029384" or "lever:5ac21346-…"; the rest is the ordinary import's.
#pragma once
#include "recruitctl/import/record.hpp"

#include <boost/json/value.hpp>
#include <set>

namespace recruiting::recruitctl {

enum class board { greenhouse, lever };
[[nodiscard]] std::string_view to_string(board source) noexcept;

/// Pure: a posting's fields as a job's. What is not as the board writes it becomes a problem or is left out.
[[nodiscard]] record to_record(board source, boost::json::value const& posting);

/// "Full-time", "FULL TIME", "fulltime", "Intern" … as our employmentType; "" for what is none.
[[nodiscard]] std::string_view employment_type_of(std::string_view words);
/// "Remote", "hybrid", "onsite", "On-Site" … as our workplaceType; "" for what is none.
[[nodiscard]] std::string_view workplace_type_of(std::string_view words);

class board_reader final : public record_reader {
public:
    /// Reads the whole document; throws std::runtime_error when it is none of that board's, or not all of it.
    board_reader(std::istream& from, board source);
    /// record.line: the posting's position in the document, from 1.
    [[nodiscard]] bool next(record& into) override;

    /// The external ids of all postings read, bad ones included.
    [[nodiscard]] std::set<std::string> const& seen() const noexcept { return seen_; }
    /// A posting without an id could be any.
    [[nodiscard]] bool knows_all() const noexcept { return knows_all_; }

private:
    board source_;
    boost::json::array postings_;
    std::size_t at_{0};
    std::set<std::string> seen_;
    bool knows_all_{true};
};

} // namespace recruiting::recruitctl
