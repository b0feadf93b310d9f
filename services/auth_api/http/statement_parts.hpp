// Fills a template of SQL: {name} stands for a part, which may name others, or for a value, which becomes a parameter
// where it is named first.
#pragma once
#include "pg/params.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

class statement_parts {
public:
    /// params: of the placeholders that the parts contain already.
    explicit statement_parts(pg::params params) : params_(std::move(params)) { parts_.reserve(32); }

    /// sql is kept by the caller until the template is filled.
    statement_parts& part(std::string_view name, std::string_view sql) {
        parts_.push_back({name, sql, {}, false});
        return *this;
    }
    statement_parts& value(std::string_view name, std::string value, std::string_view type) {
        parts_.push_back({name, type, std::move(value), true});
        return *this;
    }
    [[nodiscard]] pg::statement fill(std::string_view sql) && {
        constexpr std::size_t usual_size = 2048; // most statements then need no growth
        pg::statement out;
        out.sql.reserve(usual_size);
        append(out.sql, sql);
        out.params = std::move(params_);
        return out;
    }

private:
    struct named_part {
        std::string_view name;
        std::string_view sql; // of a value: its type
        std::string value;    // once it is a parameter: its placeholder
        bool is_unbound_value;
    };

    void append(std::string& out, std::string_view sql) {
        for (auto open = sql.find('{'); open != std::string_view::npos; open = sql.find('{')) {
            auto const close = sql.find('}', open);
            out.append(sql.substr(0, open));
            append_part(out, sql.substr(open + 1, close - open - 1));
            sql.remove_prefix(close + 1);
        }
        out.append(sql);
    }
    void append_part(std::string& out, std::string_view name) {
        auto const found = std::ranges::find(parts_, name, &named_part::name);
        if (found == parts_.end()) throw std::logic_error("no part of the statement is called " + std::string(name));
        if (found->is_unbound_value) {
            params_.text(found->value);
            found->value = "$" + std::to_string(params_.size());
            found->is_unbound_value = false;
        }
        append(out.append(found->value), found->sql);
    }

    pg::params params_;
    std::vector<named_part> parts_;
};

} // namespace recruiting::auth_api
