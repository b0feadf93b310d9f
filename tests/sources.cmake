# The C++ files of the tests. A file that is missing here stops the configuration.
set(support_sources
    support/database.cpp support/directory.cpp support/gunzip.cpp support/main.cpp support/tls_certificates.cpp
    support/tls_probe.cpp)
set(unit_sources
    unit/audit/canonical_test.cpp unit/audit/chain_test.cpp unit/audit/refusal_counters_test.cpp
    unit/auth/api_key_secret_test.cpp unit/auth/authorize_test.cpp unit/auth/credential_test.cpp
    unit/auth/scope_grants_test.cpp
    unit/auth_api/agent/invocation_test.cpp unit/auth_api/agent/settings_test.cpp
    unit/auth_api/agent/builtin/answers_test.cpp unit/auth_api/agent/builtin/model_test.cpp
    unit/auth_api/agent/builtin/nonsense_test.cpp unit/auth_api/agent/builtin/questions_test.cpp
    unit/auth_api/agent/builtin/refusals_test.cpp unit/auth_api/agent/builtin/revocation_test.cpp
    unit/auth_api/agent/model/chat_answer_test.cpp unit/auth_api/agent/model/chat_request_test.cpp
    unit/auth_api/agent/model/context_window_test.cpp unit/auth_api/agent/model/rules_test.cpp
    unit/auth_api/agent/run/run_test.cpp
    unit/auth_api/agent/tools/catalogue_test.cpp unit/auth_api/agent/tools/cut_test.cpp
    unit/auth_api/agent/tools/prompt_guard_test.cpp unit/auth_api/agent/tools/revocation_test.cpp
    unit/auth_api/background/booking_decision_test.cpp unit/auth_api/background/booking_settings_test.cpp
    unit/auth_api/background/mail_test.cpp
    unit/auth_api/http/fair_queue_test.cpp unit/auth_api/http/list_query_test.cpp
    unit/auth_api/http/organization_metrics_test.cpp unit/auth_api/http/read_cost_test.cpp
    unit/compression/compression_test.cpp
    unit/core/fair_budget_test.cpp unit/core/file_test.cpp unit/core/file_watch_test.cpp unit/core/log_writer_test.cpp
    unit/core/redact_test.cpp unit/core/settings_test.cpp unit/core/text_test.cpp unit/core/time_test.cpp
    unit/core/url_test.cpp
    unit/crypto/sealed_box_test.cpp unit/crypto/tls_client_test.cpp unit/crypto/tls_server_test.cpp
    unit/crypto/tls_tickets_test.cpp
    unit/directory/rules_test.cpp
    unit/gateway/client_test.cpp unit/gateway/connections_test.cpp unit/gateway/count_test.cpp
    unit/gateway/exposure_test.cpp unit/gateway/framing_test.cpp unit/gateway/head_test.cpp
    unit/gateway/listeners_test.cpp unit/gateway/phases_test.cpp unit/gateway/proxy_protocol_test.cpp
    unit/gateway/rewrite_test.cpp unit/gateway/target_test.cpp unit/gateway/total_counts_test.cpp
    unit/gateway/upstream_address_test.cpp unit/gateway/upstream_choice_test.cpp unit/gateway/upstream_health_test.cpp
    unit/html/sanitize_test.cpp unit/html/text_test.cpp
    unit/http/accept_test.cpp unit/http/client_address_test.cpp unit/http/cursor_test.cpp unit/http/healthcheck_test.cpp
    unit/http/json_fields_test.cpp unit/http/json_writer_test.cpp unit/http/key_scan_test.cpp unit/http/path_test.cpp
    unit/http/problem_test.cpp unit/http/query_test.cpp unit/http/supervisor_test.cpp unit/http/value_list_test.cpp
    unit/mail/address_test.cpp unit/mail/calendar_test.cpp unit/mail/meeting_url_test.cpp unit/mail/message_test.cpp
    unit/pg/error_test.cpp unit/pg/prepared_statements_test.cpp unit/pg/servers_test.cpp unit/pg/session_test.cpp
    unit/pg/url_test.cpp
    unit/public_api/answer_test.cpp unit/public_api/booking_request_test.cpp unit/public_api/catalogue_test.cpp
    unit/public_api/documents_test.cpp unit/public_api/exposure_test.cpp unit/public_api/feeds_test.cpp
    unit/public_api/interview_page_test.cpp unit/public_api/job_query_test.cpp unit/public_api/join_test.cpp
    unit/public_api/limits_test.cpp unit/public_api/listening_test.cpp unit/public_api/pages_test.cpp
    unit/public_api/routes_test.cpp unit/public_api/search_test.cpp unit/public_api/slot_query_test.cpp
    unit/public_api/widget_test.cpp
    unit/recruitctl/command_test.cpp unit/recruitctl/configuration_test.cpp unit/recruitctl/doctor_database_test.cpp
    unit/recruitctl/doctor_report_test.cpp unit/recruitctl/doctor_test.cpp unit/recruitctl/exposition_test.cpp
    unit/recruitctl/import_board_test.cpp unit/recruitctl/import_readers_test.cpp unit/recruitctl/import_rows_test.cpp
    unit/recruitctl/migration_script_test.cpp unit/recruitctl/migrations_test.cpp unit/recruitctl/slot_times_test.cpp
    unit/recruitctl/top_test.cpp
    unit/redis/protocol_test.cpp
    unit/telemetry/metrics_test.cpp unit/telemetry/span_test.cpp unit/telemetry/trace_context_test.cpp
    unit/tracing/export_test.cpp
    unit/words/words_test.cpp
    unit/zones/zone_test.cpp)
set(integration_sources
    integration/async/listener_test.cpp
    integration/audit/batcher_test.cpp
    integration/auth_api/audit_every_test.cpp integration/auth_api/audit_refusals_test.cpp
    integration/auth_api/audit_test.cpp integration/auth_api/compression_test.cpp integration/auth_api/fairness_test.cpp
    integration/auth_api/harness.cpp integration/auth_api/lists_test.cpp integration/auth_api/live_test.cpp
    integration/auth_api/organizations_test.cpp integration/auth_api/refused_head_test.cpp
    integration/auth_api/searches_test.cpp integration/auth_api/shared_reads_test.cpp
    integration/auth_api/sync_applications_test.cpp integration/auth_api/sync_copies.cpp
    integration/auth_api/sync_copies_test.cpp integration/auth_api/sync_recruiting.cpp
    integration/auth_api/sync_test.cpp
    integration/auth_api/agent/audit_test.cpp integration/auth_api/agent/builtin_test.cpp
    integration/auth_api/agent/dying_test.cpp integration/auth_api/agent/idempotency_test.cpp
    integration/auth_api/agent/misbehaviour_test.cpp integration/auth_api/agent/model_test.cpp
    integration/auth_api/agent/refused_test.cpp integration/auth_api/agent/retention_test.cpp
    integration/auth_api/agent/revoke_test.cpp integration/auth_api/agent/run_store_test.cpp
    integration/auth_api/agent/scopes_test.cpp integration/auth_api/agent/sessions_harness.cpp
    integration/auth_api/agent/sessions_list_test.cpp integration/auth_api/agent/sessions_record_test.cpp
    integration/auth_api/agent/system.cpp integration/auth_api/agent/tools_harness.cpp
    integration/auth_api/agent/tools_keys_test.cpp integration/auth_api/agent/tools_outage_test.cpp
    integration/auth_api/agent/tools_plans_test.cpp integration/auth_api/agent/tools_read_test.cpp
    integration/auth_api/background/audit_harness.cpp integration/auth_api/background/audit_partitions_test.cpp
    integration/auth_api/background/audit_retention_test.cpp integration/auth_api/background/audit_sealer_test.cpp
    integration/auth_api/background/booking_harness.cpp integration/auth_api/background/booking_leases_test.cpp
    integration/auth_api/background/booking_plans_test.cpp integration/auth_api/background/booking_records_test.cpp
    integration/auth_api/background/booking_worker_test.cpp integration/auth_api/background/exposure_test.cpp
    integration/auth_api/background/last_use_test.cpp integration/auth_api/background/mail_harness.cpp
    integration/auth_api/background/mail_language_test.cpp integration/auth_api/background/mail_letters_test.cpp
    integration/auth_api/background/mail_limits_test.cpp integration/auth_api/background/mail_outbox_failures_test.cpp
    integration/auth_api/background/mail_outbox_test.cpp integration/auth_api/background/mail_plans_test.cpp
    integration/database/plans_test.cpp integration/database/restore_revocations_test.cpp
    integration/database/restore_sealing_test.cpp integration/database/restore_test.cpp
    integration/database/roles_auth_test.cpp integration/database/roles_booking_test.cpp
    integration/database/roles_owner_functions_test.cpp integration/database/roles_statements_test.cpp
    integration/database/roles_test.cpp integration/database/schema_version_test.cpp
    integration/database/transaction_horizon_test.cpp
    integration/directory/api_keys_test.cpp integration/directory/members_test.cpp
    integration/directory/organizations_test.cpp
    integration/gateway/ceiling_test.cpp integration/gateway/counting_test.cpp integration/gateway/forward_test.cpp
    integration/gateway/harness.cpp integration/gateway/redis_states_test.cpp integration/gateway/redis_test.cpp
    integration/gateway/refuse_test.cpp integration/gateway/restart_test.cpp integration/gateway/retry_test.cpp
    integration/gateway/sentinel_test.cpp integration/gateway/upstream.cpp integration/gateway/upstreams_test.cpp
    integration/http/server_head_test.cpp integration/http/server_test.cpp
    integration/mail/parsers_test.cpp integration/mail/reader.cpp
    integration/pg/client_test.cpp integration/pg/pipeline_test.cpp
    integration/public_api/booking_test.cpp integration/public_api/catalogue_test.cpp
    integration/public_api/feeds_test.cpp integration/public_api/harness.cpp
    integration/public_api/interview_page_test.cpp integration/public_api/join_test.cpp
    integration/public_api/manage_test.cpp integration/public_api/public_api_test.cpp
    integration/recruitctl/audit_verify_test.cpp integration/recruitctl/commands_test.cpp
    integration/recruitctl/demo_load_test.cpp integration/recruitctl/doctor_servers_test.cpp
    integration/recruitctl/doctor_test.cpp integration/recruitctl/import_absent_test.cpp
    integration/recruitctl/import_board_test.cpp integration/recruitctl/import_command_test.cpp
    integration/recruitctl/import_jobs_test.cpp integration/recruitctl/import_records_test.cpp
    integration/recruitctl/mail_command_test.cpp integration/recruitctl/migrate_apply_test.cpp
    integration/recruitctl/migrate_locks_test.cpp integration/recruitctl/slots_test.cpp
    integration/support/cut_link.cpp integration/support/http_client.cpp integration/support/http_server_harness.cpp
    integration/support/link.cpp integration/support/model_connection.cpp integration/support/model_double.cpp
    integration/support/planner.cpp integration/support/redis_servers.cpp integration/support/slow_link.cpp
    integration/support/smtp_double.cpp
    integration/transfer/engine_test.cpp integration/transfer/resolver_test.cpp
    integration/transfer/smtp_exchange_test.cpp integration/transfer/transfer_test.cpp)
