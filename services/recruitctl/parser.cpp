#include "recruitctl/parser.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::recruitctl {

void invocation_parser::parse(std::span<std::string const> arguments) {
    auto options_ended = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto const& argument = arguments[i];
        if (options_ended || argument == "-" || !argument.starts_with('-')) into_.operands_.push_back(argument);
        else if (argument == "--") options_ended = true;
        else i = take_option(arguments, i);
    }
    check();
    std::string all;
    for (auto const& problem : problems_) all += (all.empty() ? "" : "; ") + problem;
    if (!all.empty()) throw usage_error(all);
}

// Returns the place of the last argument taken.
std::size_t invocation_parser::take_option(std::span<std::string const> arguments, std::size_t at) {
    auto const& argument = arguments[at];
    auto const equals = argument.find('=');
    auto const name = argument.substr(0, equals);
    auto const known = std::ranges::find(of_.options, name, &option::name);
    if (known == of_.options.end()) {
        problems_.push_back("unknown option " + name);
        // What follows belongs to it, more likely than not: no second complaint about that.
        auto const has_value = equals == std::string::npos && at + 1 < arguments.size() &&
                               !arguments[at + 1].starts_with('-') && of_.operands.empty();
        return has_value ? at + 1 : at;
    }
    auto const given_before = into_.options_.contains(name);
    auto& values = into_.options_[name];
    if (given_before && !known->many) problems_.push_back(name + " is given twice");
    if (known->value.empty()) {
        if (equals != std::string::npos) problems_.push_back(name + " takes no value");
        return at;
    }
    if (equals == std::string::npos && (at + 1 >= arguments.size() || arguments[at + 1].starts_with("--"))) {
        problems_.push_back(name + " needs a value, " + known->value);
        return at;
    }
    auto const value = equals == std::string::npos ? arguments[at + 1] : argument.substr(equals + 1);
    if (!is_utf8(value)) problems_.push_back(name + " is not UTF-8");
    if (known->many) {
        for (auto const part : split(value, ','))
            if (auto const item = trim(part); !item.empty()) values.emplace_back(item);
        if (values.empty()) problems_.push_back(name + " needs a value, " + known->value);
    } else {
        values.push_back(value);
    }
    return equals == std::string::npos ? at + 1 : at;
}

void invocation_parser::check() {
    for (auto const& option : of_.options)
        if (option.required && !into_.options_.contains(option.name))
            problems_.push_back(option.name + " " + option.value + " is missing");
    auto const wanted = of_.operands.empty() ? std::vector<std::string_view>{} : split(of_.operands, ' ');
    for (auto i = into_.operands_.size(); i < wanted.size(); ++i)
        problems_.push_back(std::string(wanted[i]) + " is missing");
    for (auto i = wanted.size(); i < into_.operands_.size(); ++i)
        problems_.push_back("unexpected argument " + into_.operands_[i]);
}

} // namespace recruiting::recruitctl
