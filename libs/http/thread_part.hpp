// What a program's thread is asked to do from its start to its end.
#pragma once
#include <string>

namespace recruiting::http {

/// What one thread runs. Made, used and destroyed on that thread. When made it has its addresses, and does not listen.
class thread_part {
public:
    virtual ~thread_part() = default;
    [[nodiscard]] virtual std::string fault() = 0;        // what keeps it from serving, in words; empty: it is usable
    virtual void listen() = 0;                            // take connections, from now on
    virtual void drain() = 0;                             // take nothing new
    [[nodiscard]] virtual bool idle() const noexcept = 0; // nothing is in progress
    virtual void close() = 0;                             // drop what is left; the loop then runs dry or is stopped
};

} // namespace recruiting::http
