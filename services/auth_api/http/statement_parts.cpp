#include "auth_api/http/statement_parts.hpp"

#include <algorithm>
#include <stdexcept>

namespace recruiting::auth_api {
namespace {

constexpr std::size_t usual_statement_size = 2048; // most statements then need no growth

} // namespace

pg::statement statement_parts::fill(std::string_view sql) && {
    pg::statement out;
    out.sql.reserve(usual_statement_size);
    append(out.sql, sql);
    out.params = std::move(params_);
    return out;
}

void statement_parts::append(std::string& out, std::string_view sql) {
    for (auto open = sql.find('{'); open != std::string_view::npos; open = sql.find('{')) {
        auto const close = sql.find('}', open);
        out.append(sql.substr(0, open));
        append_part(out, sql.substr(open + 1, close - open - 1));
        sql.remove_prefix(close + 1);
    }
    out.append(sql);
}

void statement_parts::append_part(std::string& out, std::string_view name) {
    auto const found = std::ranges::find(parts_, name, &named_part::name);
    if (found == parts_.end()) throw std::logic_error("no part of the statement is called " + std::string(name));
    if (found->is_unbound_value) {
        params_.text(found->value);
        found->value = "$" + std::to_string(params_.size());
        found->is_unbound_value = false;
    }
    append(out.append(found->value), found->sql);
}

} // namespace recruiting::auth_api
