#include "recruitctl/import/board.hpp"

#include "recruitctl/import/board_fields.hpp"
#include "recruitctl/import/json.hpp"

#include <istream>
#include <iterator>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_document = std::size_t{256} << 20U;

std::string read_all(std::istream& from) {
    std::string text;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (from.read(piece.data(), static_cast<std::streamsize>(piece.size())) || from.gcount() > 0) {
        text.append(piece, 0, static_cast<std::size_t>(from.gcount()));
        if (text.size() > longest_document) throw std::runtime_error("the document is larger than 256 MiB");
    }
    if (from.bad()) throw std::runtime_error("the file can't be read to its end");
    return text;
}

// What is cut off must not look like jobs that are gone.
void check_total(json::object const& document, std::size_t found) {
    auto const* const meta = document.if_contains("meta");
    auto const* const total = meta != nullptr && meta->is_object() ? meta->get_object().if_contains("total") : nullptr;
    if (total == nullptr || !total->is_int64() || total->get_int64() == static_cast<std::int64_t>(found)) return;
    throw std::runtime_error("the document has " + std::to_string(found) + " jobs, its meta.total says " +
                             std::to_string(total->get_int64()));
}

json::array postings_of(board source, json::value document) {
    if (source == board::lever) {
        if (!document.is_array()) throw std::runtime_error("not a Lever postings document: it must be a JSON array");
        return std::move(document.get_array());
    }
    auto* const jobs = document.is_object() ? document.get_object().if_contains("jobs") : nullptr;
    if (jobs == nullptr || !jobs->is_array())
        throw std::runtime_error("not a Greenhouse job board document: it must be an object with a list \"jobs\"");
    check_total(document.get_object(), jobs->get_array().size());
    return std::move(jobs->get_array());
}

} // namespace

std::string_view to_string(board source) noexcept { return source == board::lever ? "lever" : "greenhouse"; }

record to_record(board source, json::value const& posting) {
    record made;
    if (!posting.is_object()) {
        made.problems.push_back({{}, "wrong_type", "must be an object"});
        return made;
    }
    auto const& given = posting.get_object();
    auto const id = board_id(given);
    if (id.empty()) made.problems.push_back({"id", "required", "must be given, as the board's number or text"});
    else made.fields["externalId"] = std::string(to_string(source)) + ":" + id;
    made.fields["status"] = "open";
    made.fields["published"] = true;
    if (source == board::lever) map_lever(given, made.fields);
    else map_greenhouse(given, made.fields);
    return made;
}

board_reader::board_reader(std::istream& from, board source) : source_(source) {
    auto const text = read_all(from);
    bytes_ = text.size();
    json_text_parser parser;
    auto parsed = parser.parse(text);
    if (auto const* wrong = std::get_if<problem>(&parsed)) throw std::runtime_error(wrong->message);
    postings_ = postings_of(source, std::move(std::get<json::value>(parsed)));
}

bool board_reader::next(record& into) {
    if (at_ == postings_.size()) return false;
    into = to_record(source_, postings_[at_]);
    into.line = ++at_;
    if (auto const* id = into.fields.if_contains("externalId")) seen_.emplace(id->get_string());
    else knows_all_ = false;
    return true;
}

} // namespace recruiting::recruitctl
