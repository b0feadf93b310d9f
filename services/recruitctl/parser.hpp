// Turns a command's arguments into an invocation, or says everything that is wrong with them at once.
#pragma once
#include "recruitctl/command.hpp"

#include <span>

namespace recruiting::recruitctl {

class invocation_parser {
public:
    invocation_parser(command const& of, invocation& into) : of_(of), into_(into) {}

    /// --name value, --name=value; "--" ends the options. Throws usage_error.
    void parse(std::span<std::string const> arguments);

private:
    std::size_t take_option(std::span<std::string const> arguments, std::size_t at);
    void check();

    command const& of_;
    invocation& into_;
    std::vector<std::string> problems_;
};

} // namespace recruiting::recruitctl
