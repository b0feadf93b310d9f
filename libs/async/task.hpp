// The coroutine type of every program: bound to one io_context's concrete executor (measured: any_io_executor costs a
// third more). g++ 12 miscompiles some uses of co_await: one a statement, of a plain call with named arguments, its
// result bound to a named local (scripts/checks/coroutines).
#pragma once
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>

namespace recruiting {

namespace asio = boost::asio;
using io_executor = asio::io_context::executor_type;

template <class T>
using task = asio::awaitable<T, io_executor>;

inline constexpr asio::use_awaitable_t<io_executor> use_task{};
/// co_await gives [error, value] instead of throwing.
inline constexpr auto use_task_tuple = asio::as_tuple(use_task);

/// Runs a task to its end, owned by the io_context; an exception that leaves it ends the program with a log line.
void spawn(asio::io_context& context, task<void> work);

} // namespace recruiting
