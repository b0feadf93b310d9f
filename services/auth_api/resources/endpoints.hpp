// The endpoints that read a resource; routes.cpp has their paths and scopes, agent/tools/catalogue.cpp the tools that
// read the same. Each resource is one file: its SQL, its JSON, and the binding declared here.
#pragma once
#include "auth_api/http/resource.hpp"
#include "directory/records.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api {

[[nodiscard]] result<prepared_read> get_me(bind_input& in);
[[nodiscard]] result<prepared_read> list_scopes(bind_input& in);
[[nodiscard]] result<prepared_read> get_organization(bind_input& in);
[[nodiscard]] result<prepared_read> list_members(bind_input& in);
[[nodiscard]] result<prepared_read> list_jobs(bind_input& in);
[[nodiscard]] result<prepared_read> get_job(bind_input& in);
[[nodiscard]] result<prepared_read> list_job_candidates(bind_input& in);
[[nodiscard]] result<prepared_read> list_candidates(bind_input& in);
/// Of the agent's tool: {"data":{"count":N}}, exact.
[[nodiscard]] result<prepared_read> count_candidates(bind_input& in);
[[nodiscard]] result<prepared_read> get_candidate(bind_input& in);
[[nodiscard]] result<prepared_read> get_pipeline(bind_input& in);
[[nodiscard]] result<prepared_read> list_sessions(bind_input& in);
[[nodiscard]] result<prepared_read> get_session(bind_input& in);
[[nodiscard]] result<prepared_read> get_billing(bind_input& in);
/// JSON pages, or everything that matches as CSV or NDJSON, streamed.
[[nodiscard]] result<prepared_read> list_audit(bind_input& in);
/// The head of the organization's sealed chain: of the console.
[[nodiscard]] result<prepared_read> get_audit_chain(bind_input& in);

using key_writer = void (*)(http::json_writer& json, directory::api_key const& key, timestamp now);
/// API keys, newest first: all for admins, their own for others. The console and the agent's tool write them in their
/// own forms. Takes limit, cursor, state, includeRevoked, memberId (the owner) and id.
[[nodiscard]] result<prepared_read> list_visible_keys(bind_input& in, key_writer write);

} // namespace recruiting::auth_api
