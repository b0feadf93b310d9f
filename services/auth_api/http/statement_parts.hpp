// Fills a template of SQL: {name} stands for a part, which may name others, or for a value, which becomes a parameter
// where it is named first.
#pragma once
#include "pg/params.hpp"

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
    [[nodiscard]] pg::statement fill(std::string_view sql) &&;

private:
    struct named_part {
        std::string_view name;
        std::string_view sql; // of a value: its type
        std::string value;    // once it is a parameter: its placeholder
        bool is_unbound_value;
    };

    void append(std::string& out, std::string_view sql);
    void append_part(std::string& out, std::string_view name);

    pg::params params_;
    std::vector<named_part> parts_;
};

} // namespace recruiting::auth_api
